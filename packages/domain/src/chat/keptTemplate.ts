import { Effect, Stream } from "effect"
import { ChatChannel, type Line } from "./ChatChannel.ts"
import type { MessageTemplate } from "./MessageTemplate.ts"

/** What the provider keeps under the name and language of a template; `null` if there is nothing. */
export const keptTemplate = Effect.fnUntraced(function* (
  line: Line,
  { language, name }: Pick<MessageTemplate, "language" | "name">
) {
  const [kept] = yield* (yield* ChatChannel).templates(line).pipe(
    Stream.filter((each) => each.name === name && each.language === language),
    Stream.take(1),
    Stream.runCollect
  )
  return kept ?? null
})
