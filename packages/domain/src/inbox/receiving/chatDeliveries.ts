import { Effect } from "effect"
import {
  applyAccountNews,
  applyNumberNews,
  applyTemplateNews,
  type Arrived,
  channelFor,
  chatSource
} from "../../chat/index.ts"
import { deliverySource } from "../../deliveries/index.ts"
import { applyMessages } from "./applyMessages.ts"

type Kind = Arrived["kind"]

const ofKinds = <const Kinds extends ReadonlyArray<Kind>>(events: ReadonlyArray<Arrived>, kinds: Kinds) =>
  events.filter((event): event is Extract<Arrived, { readonly kind: Kinds[number] }> => kinds.includes(event.kind))

/** Does what these events tell, in this unit of work. Those that nobody understands tell nothing. */
const applyEvents = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<Arrived>) {
  const templates = ofKinds(events, ["template"])
  const numbers = ofKinds(events, ["number"])
  const accounts = ofKinds(events, ["account"])
  const messages = ofKinds(events, ["message", "echo", "receipt", "preference"])
  // News of templates touch accounts, too: whoever locks those comes first, as everywhere, so that nobody waits in a circle.
  if (numbers.length > 0) yield* applyNumberNews(provider, numbers)
  if (accounts.length > 0) yield* applyAccountNews(provider, accounts)
  if (templates.length > 0) yield* applyTemplateNews(provider, templates)
  if (messages.length > 0) yield* Effect.orDie(applyMessages(provider, messages))
})

/** What chat providers deliver: what contacts have written, what became of messages, and what was decided about numbers. */
export const chatDeliveries = deliverySource({
  name: chatSource,
  read: Effect.fnUntraced(function* (provider, { body, id: deliveryId, receivedAt: at }) {
    const { read } = yield* Effect.orDie(channelFor({ provider }, "deliveries"))
    return read(body)?.map((event, position): Arrived => ({ ...event, arrival: { deliveryId, at, position } })) ?? null
  }),
  isUnknown: ({ kind }) => kind === "unknown",
  apply: applyEvents
})
