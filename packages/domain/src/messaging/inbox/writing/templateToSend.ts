import { Effect } from "effect"
import {
  type ChatAccountId,
  type MessageTemplate,
  MessageTemplates,
  previewOf,
  type TemplateInputs
} from "../../chat/index.ts"
import { NotFound } from "../../../kernel/index.ts"
import { TemplateNotApproved } from "../Errors.ts"
import type { MessageTemplateUse, NewMessage } from "../Message.ts"
import { checkValues } from "./checkValues.ts"
import { fileToSend } from "./fileToSend.ts"

type Said = Extract<NewMessage, { readonly kind: "template" }>["template"]

const missing = (pointer: string) => new NotFound({ resource: "message template", pointer })

const find = Effect.fnUntraced(function* (said: Said, chatAccountId: ChatAccountId) {
  const templates = yield* MessageTemplates
  if ("id" in said) {
    const [found] = yield* templates.find([said.id])
    return found?.chatAccountId === chatAccountId ? found : yield* missing("/template/id")
  }
  const all = yield* templates.ofAccounts([chatAccountId])
  const found = all.find(({ language, name }) => name === said.name && language === said.language)
  return found ?? (yield* missing("/template/name"))
})

/** What is approved and filled in, and how the customer sees it. The files that it carries stay from then on. */
export const checkTemplate = Effect.fnUntraced(function* (template: MessageTemplate, values: TemplateInputs) {
  if (template.status !== "approved") return yield* new TemplateNotApproved({ status: template.status })
  for (const { id, kind, pointer } of yield* checkValues(template, values, "/template/values")) {
    yield* fileToSend(id, kind, pointer)
  }
  return previewOf(template, values).body
})

/** The template that a message is made of, and its text. */
export const templateToSend = Effect.fnUntraced(function* (said: Said, chatAccountId: ChatAccountId) {
  const template = yield* find(said, chatAccountId)
  const { id, language, name } = template
  const { values = {} } = said
  const text = yield* checkTemplate(template, values)
  return { text, template: { id, name, language, values } satisfies MessageTemplateUse }
})
