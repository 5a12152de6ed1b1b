// BullMQ 5 lacks some names, and an import of them would fail without naming the version.
import * as bullmq from "bullmq";
import { requireTool } from "../client/internal/require-tool.ts";

const tool = { name: "bullmq", lowest: "6", install: "npm install bullmq" };

requireTool("adgen-sdk/bullmq", tool, "getBackend" in bullmq.Queue.prototype);

export const { DelayedError, UnrecoverableError } = bullmq;
