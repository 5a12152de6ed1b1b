import com.example.adgen.ApiProviders;
import com.example.adgen.model.Action;
import com.example.adgen.model.CompletedJob;
import com.example.adgen.model.CopyAction;
import com.example.adgen.model.CopyJobRequest;
import com.example.adgen.model.FailedJob;
import com.example.adgen.model.FailureEnvelope;
import com.example.adgen.model.ImageAction;
import com.example.adgen.model.ImageJobRequest;
import com.example.adgen.model.Job;
import com.example.adgen.model.JobEnvelope;
import com.example.adgen.model.JobListEnvelope;
import com.example.adgen.model.JobRequest;
import com.example.adgen.model.ProcessingJob;
import com.example.adgen.model.SubmittedJobEnvelope;
import com.example.adgen.model.VideoAction;
import com.example.adgen.model.VideoJobRequest;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.jaxrs.json.JacksonJaxbJsonProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/**
 * Orders an ad of each kind from a service, with the models and the JSON mapper of the generated
 * client. JAX-RS itself needs an implementation, so the JDK's HTTP client sends.
 */
public class OrderAds {
	private static final HttpClient http = HttpClient.newHttpClient();
	private static final ObjectMapper json =
			((JacksonJaxbJsonProvider) ApiProviders.defaultProviders().get(0)).mapper();
	private static String service;

	public static void main(String[] args) throws Exception {
		service = args[0] + "/v1/jobs";
		List<JobRequest> requests = List.of(
				new ImageJobRequest().action(ImageAction.EDIT_AD).prompt("Less ice").variations(2),
				new VideoJobRequest().action(VideoAction.VIDEO_A_2).duration(new java.math.BigDecimal(3)),
				new CopyJobRequest().action(CopyAction.GENERATE_AD_COPY));
		for (JobRequest request : requests) {
			HttpResponse<String> answer = ask("", json.writeValueAsString(request));
			if (answer.statusCode() != 202) {
				System.out.println(answer.statusCode() + " "
						+ json.readValue(answer.body(), FailureEnvelope.class).getError());
				continue;
			}
			describe(waitFor(json.readValue(answer.body(), SubmittedJobEnvelope.class).getData().getJobId()));
		}
		JobListEnvelope list = json.readValue(ask("", null).body(), JobListEnvelope.class);
		System.out.println(list.getData().getJobs().size() + " jobs");
	}

	private static HttpResponse<String> ask(String path, String body) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service + path))
				.header("Authorization", "Bearer test-key");
		if (body != null) request.POST(BodyPublishers.ofString(body));
		return http.send(request.build(), BodyHandlers.ofString());
	}

	private static Job waitFor(String id) throws Exception {
		for (;;) {
			Job job = json.readValue(ask("/" + id, null).body(), JobEnvelope.class).getData();
			if (!(job instanceof ProcessingJob)) return job;
			System.out.println("processing " + ((ProcessingJob) job).getAction());
		}
	}

	private static void describe(Job job) {
		if (job instanceof FailedJob) System.out.println("failed " + ((FailedJob) job).getError());
		if (!(job instanceof CompletedJob)) return;
		CompletedJob completed = (CompletedJob) job;
		Action action = completed.getAction();
		if (action == Action.EDIT_AD) {
			System.out.println(completed.getResult().getImages().size() + " images");
		} else if (action == Action.VIDEO_A_2) {
			System.out.println(completed.getResult().getVideos().get(0).getDuration() + " seconds");
		}
	}
}
