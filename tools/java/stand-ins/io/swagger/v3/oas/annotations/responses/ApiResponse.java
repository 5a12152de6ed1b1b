package io.swagger.v3.oas.annotations.responses;

import io.swagger.v3.oas.annotations.media.Content;

public @interface ApiResponse {
	String responseCode() default "";

	String description() default "";

	Content[] content() default {};
}
