import { Effect, Schema } from "effect"
import {
  type ChatAccountId,
  fillTemplate,
  type MessageTemplate,
  MessageTemplates,
  previewOf,
  type TemplateInputs
} from "../../chat/index.ts"
import { invalid, NotFound, ValidationFailed } from "../../kernel/index.ts"
import { TemplateNotApproved } from "../Errors.ts"
import { MediaId } from "../Ids.ts"
import type { MessageTemplateUse, NewMessage } from "../Message.ts"
import { fileToSend } from "./fileToSend.ts"

type Said = Extract<NewMessage, { readonly kind: "template" }>["template"]

const isMediaId = Schema.is(MediaId)

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

/** Refuses files of the template's parts that could not be sent. */
const checkFiles = Effect.fnUntraced(function* ({ variables }: MessageTemplate, values: TemplateInputs) {
  for (const { key, kind } of variables) {
    if (kind !== "image" && kind !== "video" && kind !== "document") continue
    const id = values[key]
    const pointer = `/template/values/${key}`
    if (!isMediaId(id)) return yield* invalid(pointer, "Expected the id of a file that was uploaded")
    yield* fileToSend(id, kind, pointer)
  }
})

/** What is approved and filled in, and how the customer sees it. */
export const checkTemplate = Effect.fnUntraced(function* (template: MessageTemplate, values: TemplateInputs) {
  if (template.status !== "approved") return yield* new TemplateNotApproved({ status: template.status })
  const filling = fillTemplate(template, values)
  if (Array.isArray(filling)) return yield* new ValidationFailed({ errors: filling })
  yield* checkFiles(template, values)
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
