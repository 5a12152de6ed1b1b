package com.fasterxml.jackson.jaxrs.json;

import com.fasterxml.jackson.databind.ObjectMapper;

public class JacksonJaxbJsonProvider {
	private ObjectMapper mapper;

	public void setMapper(ObjectMapper mapper) {
		this.mapper = mapper;
	}

	public ObjectMapper mapper() {
		return mapper;
	}
}
