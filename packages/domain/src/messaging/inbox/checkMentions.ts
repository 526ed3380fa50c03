import { Effect } from "effect"
import type { UserId } from "../../kernel/index.ts"
import { requireReader } from "./assignees.ts"

/** Refuses to call anybody who is no member here. */
export const checkMentions = (mentions: ReadonlyArray<UserId>) =>
  Effect.forEach(mentions, (id, index) => requireReader(id, `/mentions/${index}`), { discard: true })
