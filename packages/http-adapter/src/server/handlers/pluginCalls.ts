import { completePluginCall } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Calls of plugins. */
export const layer = HttpApiBuilder.group(Api, "pluginCalls", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    complete: ({ params, payload }) => completePluginCall(params.id, payload)
  })
)
