package io.swagger.v3.oas.annotations.media;

public @interface Content {
	String mediaType() default "";

	Schema schema() default @Schema;
}
