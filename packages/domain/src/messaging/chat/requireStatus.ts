import { Effect } from "effect"
import { MessageTemplateState } from "./Errors.ts"
import type { MessageTemplate, TemplateStatus } from "./MessageTemplate.ts"

/** Refuses what can be done to a template only while it is in one of these states. */
export const requireStatus = ({ status }: MessageTemplate, allowed: ReadonlyArray<TemplateStatus>) =>
  allowed.includes(status) ? Effect.void : Effect.fail(new MessageTemplateState({ status, allowed }))
