import { Effect } from "effect"
import { type MessageTemplate, MessageTemplates } from "../../messaging/chat/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { messagesOf } from "../messagesOf.ts"
import type { AcceptedRecipient } from "../RecipientReplies.ts"

/** What was sent to recipients. */
export interface AcceptedMessages {
  readonly broadcasts: ReadonlyMap<BroadcastId, Broadcast>
  /** `undefined` where the template is not known any more. */
  readonly templateOf: (recipient: Pick<AcceptedRecipient, "broadcastId" | "variant">) => MessageTemplate | undefined
}

/** Reads what was sent to these recipients. */
export const readAcceptedMessages = Effect.fnUntraced(function* (
  recipients: ReadonlyArray<Pick<AcceptedRecipient, "broadcastId">>
) {
  const port = yield* Broadcasts
  const ids = Array.from(new Set(recipients.map(({ broadcastId }) => broadcastId)))
  const found = yield* Effect.orDie(Effect.forEach(ids, (id) => port.get(id)))
  const broadcasts = new Map(found.map((broadcast) => [broadcast.id, broadcast]))
  const templateIds = found.flatMap((each) => messagesOf(each).flatMap(({ templateId }) => templateId ?? []))
  const templates = new Map<string, MessageTemplate>(
    (yield* (yield* MessageTemplates).find([...new Set(templateIds)])).map((template) => [template.id, template])
  )
  return {
    broadcasts,
    templateOf: ({ broadcastId, variant }) => {
      const broadcast = broadcasts.get(broadcastId)
      if (broadcast === undefined) return undefined
      const templateId = messagesOf(broadcast).find((each) => each.variant === variant)?.templateId ?? null
      return templateId === null ? undefined : templates.get(templateId)
    }
  } satisfies AcceptedMessages
})
