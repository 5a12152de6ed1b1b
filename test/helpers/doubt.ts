/** End of the message of a submission that may have been carried out. */
export const doubtOfSubmission =
  "; the job may exist and be charged: look with findLostJobs(client, error) before you submit again";

/** End of that message if the answer has named the job. */
export const doubtWithJob =
  "; the job may exist and be charged: wait for it with pollJob(client, error.jobId)";
