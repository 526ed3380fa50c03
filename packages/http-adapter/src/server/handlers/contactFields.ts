import { createContactField, deleteContactField, listContactFields, updateContactField } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Contact fields. */
export const layer = HttpApiBuilder.group(Api, "contactFields", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listContactFields(pageOf(query)),
    create: ({ payload }) => createContactField(payload),
    update: ({ headers, params, payload }) => updateContactField(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteContactField(params.id, expectedVersion(headers))
  })
)
