import type { RunningChatSimulator } from "@parley/simulators/chat"
import type { Effect } from "effect"

/** Something that happens at the provider, and its webhooks. */
export type Scene = (provider: RunningChatSimulator) => Effect.Effect<void>

export const parentId = "US.ENT.11815799212886844830"
export const fileData = Buffer.from("bytes").toString("base64")
