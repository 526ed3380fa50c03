import { Effect, Stream } from "effect"
import type { Line } from "./Line.ts"
import type { MessageTemplate } from "./MessageTemplate.ts"
import type { TemplateApproval } from "./TemplateApproval.ts"

/** The provider's template with the same name and language; `null` if there is none. */
export const findProviderTemplate = Effect.fnUntraced(function* (
  templates: TemplateApproval,
  line: Line,
  { language, name }: Pick<MessageTemplate, "language" | "name">
) {
  const [kept] = yield* templates.list(line).pipe(
    Stream.filter((each) => each.name === name && each.language === language),
    Stream.take(1),
    Stream.runCollect
  )
  return kept ?? null
})
