import {
  createMessageTemplate,
  deleteMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  previewMessageTemplate,
  submitMessageTemplate,
  syncMessageTemplates,
  updateMessageTemplate
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { inQuery } from "./contacts.ts"

/** Message templates. */
export const layer = HttpApiBuilder.group(Api, "messageTemplates", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { chatAccountId, name, status, ...page } }) =>
      listMessageTemplates(
        { chatAccountId: chatAccountId ?? null, status: status ?? null, name: name ?? null },
        pageOf(page)
      ).pipe(withFaultPointers(inQuery)),
    create: ({ payload }) => createMessageTemplate(payload),
    get: ({ params }) => getMessageTemplate(params.id),
    update: ({ headers, params, payload }) => updateMessageTemplate(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteMessageTemplate(params.id, expectedVersion(headers)),
    submit: ({ params }) => submitMessageTemplate(params.id),
    preview: ({ params, payload }) => previewMessageTemplate(params.id, payload.values ?? {}),
    sync: ({ payload }) => syncMessageTemplates(payload.chatAccountId)
  })
)
