import { Effect } from "effect"
import { invalid } from "../../../kernel/index.ts"
import type { MessageTemplate } from "../MessageTemplate.ts"
import { MessageTemplates } from "../MessageTemplates.ts"

type Worded = Pick<MessageTemplate, "chatAccountId" | "components" | "id" | "language">

const hasSameText = (one: Worded, other: Worded) =>
  one.language === other.language &&
  one.components.body !== undefined &&
  one.components.body.text === other.components.body?.text &&
  one.components.footer?.text === other.components.footer?.text

const liveStatuses: ReadonlySet<MessageTemplate["status"]> = new Set(["pending", "in_appeal", "approved", "paused"])

/** Rejects a template with the body and footer of a template that the provider has, because the provider rejects it too. */
export const requireDistinctText = Effect.fnUntraced(function* (template: Worded) {
  const others = yield* (yield* MessageTemplates).ofAccounts([template.chatAccountId])
  const twin = others.find(
    (other) => other.id !== template.id && liveStatuses.has(other.status) && hasSameText(template, other)
  )
  if (twin === undefined) return
  return yield* invalid(
    "/components/body/text",
    `Expected a text that differs from the template ${twin.name}, because the provider rejects duplicates`
  )
})
