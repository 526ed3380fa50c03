import { changePassword, logout, updateMe } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { addressOf } from "../addressOf.ts"

/** The caller's own account. */
export const layer = HttpApiBuilder.group(Api, "account", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    logout: () => logout(),
    update: ({ payload }) => updateMe(payload),
    changePassword: ({ payload }) => Effect.flatMap(addressOf, (address) => changePassword({ ...payload, address }))
  })
)
