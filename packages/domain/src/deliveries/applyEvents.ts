import { Effect } from "effect"
import { applyAccountNews, applyNumberNews, applyTemplateNews, type Arrived } from "../chat/index.ts"
import { applyMessages } from "../inbox/index.ts"

type Kind = Arrived["kind"]

const ofKinds = <const Kinds extends ReadonlyArray<Kind>>(events: ReadonlyArray<Arrived>, kinds: Kinds) =>
  events.filter((event): event is Extract<Arrived, { readonly kind: Kinds[number] }> => kinds.includes(event.kind))

/** Does what these events tell, in this unit of work. Those that nobody understands tell nothing. */
export const applyEvents = Effect.fnUntraced(function* (events: ReadonlyArray<Arrived>) {
  const templates = ofKinds(events, ["template"])
  const numbers = ofKinds(events, ["number"])
  const accounts = ofKinds(events, ["account"])
  const messages = ofKinds(events, ["message", "echo", "receipt", "preference"])
  // News of templates touch accounts, too: whoever locks those comes first, as everywhere, so that nobody waits in a circle.
  if (numbers.length > 0) yield* applyNumberNews(numbers)
  if (accounts.length > 0) yield* applyAccountNews(accounts)
  if (templates.length > 0) yield* applyTemplateNews(templates)
  if (messages.length > 0) yield* applyMessages(messages)
})
