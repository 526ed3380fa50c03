import { Effect, Schema } from "effect"
import { CurrentActor, hasPermission, objectShownWith, unvalidated } from "../../kernel/index.ts"
import { Message } from "./Message.ts"
import { readMessageCosts, SingleMessageCost } from "./messageCosts.ts"

/** Additional data of a message that a response can contain. */
export const MessageExpansion = Schema.Literals(["cost"])
export type MessageExpansion = typeof MessageExpansion.Type

/** Message with its expanded data. */
export class ExpandedMessage extends Schema.Class<ExpandedMessage>("ExpandedMessage")(
  {
    ...Message.fields,
    expanded: Schema.optionalKey(
      Schema.Struct({
        cost: Schema.optionalKey(Schema.NullOr(SingleMessageCost)).annotateKey({
          description:
            "Cost by the current rate cards, in the organization's currency. `null` if the provider has reported no delivery with a price, or no rate card has a rate. Missing without `analytics.read`."
        })
      })
    ).annotateKey({ description: "Data requested with `expand`." })
  },
  objectShownWith("conversations.read")
) {}

const expandedMessage = unvalidated(ExpandedMessage)

/** Adds the costs of messages, with one read for all of them. Omits them for actors without read access. */
export const expandMessages = Effect.fnUntraced(function* (
  messages: ReadonlyArray<Message>,
  expand: ReadonlyArray<MessageExpansion>
) {
  const bare: ReadonlyArray<ExpandedMessage> = messages
  if (!expand.includes("cost")) return bare
  const isShown = hasPermission(yield* CurrentActor, "analytics.read")
  const costs = isShown ? yield* readMessageCosts(messages.map(({ id }) => id)) : new Map<string, never>()
  return messages.map((message) =>
    expandedMessage({ ...message, expanded: isShown ? { cost: costs.get(message.id) ?? null } : {} })
  )
})
