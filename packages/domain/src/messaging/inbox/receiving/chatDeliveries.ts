import { Effect } from "effect"
import {
  applyAccountUpdates,
  applyNumberUpdates,
  applyTemplateUpdates,
  type Arrived,
  channelFor,
  chatSource
} from "../../chat/index.ts"
import { deliverySource } from "../../../platform/deliveries/index.ts"
import { applyMessages } from "./applyMessages.ts"

type Kind = Arrived["kind"]

const ofKinds = <const Kinds extends ReadonlyArray<Kind>>(events: ReadonlyArray<Arrived>, kinds: Kinds) =>
  events.filter((event): event is Extract<Arrived, { readonly kind: Kinds[number] }> => kinds.includes(event.kind))

/** Applies these events in this unit of work. Unknown events change nothing. */
const applyEvents = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<Arrived>) {
  const templates = ofKinds(events, ["template"])
  const numbers = ofKinds(events, ["number"])
  const accounts = ofKinds(events, ["account"])
  const messages = ofKinds(events, ["message", "echo", "receipt", "preference"])
  // Updates of templates touch accounts, too: accounts are locked first everywhere, so that there are no deadlocks.
  if (numbers.length > 0) yield* applyNumberUpdates(provider, numbers)
  if (accounts.length > 0) yield* applyAccountUpdates(provider, accounts)
  if (templates.length > 0) yield* applyTemplateUpdates(provider, templates)
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
