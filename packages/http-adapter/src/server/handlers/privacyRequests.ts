import { completePrivacyRequest, exportPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layer = HttpApiBuilder.group(Api, "privacyRequests", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { state, ...page } }) => listPrivacyRequests(state ?? null, pageOf(page)),
    get: ({ params }) => getPrivacyRequest(params.id),
    export: ({ params }) => exportPrivacyRequest(params.id),
    complete: ({ params }) => completePrivacyRequest(params.id)
  })
)
