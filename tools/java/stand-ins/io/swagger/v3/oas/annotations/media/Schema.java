package io.swagger.v3.oas.annotations.media;

public @interface Schema {
	enum RequiredMode {
		REQUIRED,
		NOT_REQUIRED,
	}

	String name() default "";

	String description() default "";

	boolean enumAsRef() default false;

	Class<?> implementation() default Void.class;

	RequiredMode requiredMode() default RequiredMode.NOT_REQUIRED;
}
