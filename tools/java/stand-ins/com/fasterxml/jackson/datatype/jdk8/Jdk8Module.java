package com.fasterxml.jackson.datatype.jdk8;

import com.fasterxml.jackson.databind.module.SimpleModule;

public class Jdk8Module extends SimpleModule {
}
