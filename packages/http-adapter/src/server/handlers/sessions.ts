import {
  acceptInvitation,
  login,
  refreshSession,
  requestPasswordReset,
  setPasswordByLink,
  type TokenPair
} from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { addressOf } from "../addressOf.ts"

const tokensOf = (pair: TokenPair) => ({
  accessToken: pair.accessToken,
  tokenType: "Bearer" as const,
  expiresIn: pair.expiresIn,
  expiresAt: pair.expiresAt,
  refreshToken: pair.refreshToken
})

/** Logging in, staying logged in, joining. */
export const layer = HttpApiBuilder.group(Api, "sessions", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    login: Effect.fnUntraced(function* ({ payload }) {
      const session = yield* login({
        email: payload.email,
        password: payload.password,
        organizationId: payload.organizationId ?? null,
        address: yield* addressOf,
        deviceToken: payload.deviceToken ?? null
      })
      return {
        ...tokensOf(session),
        user: session.user,
        organizations: session.affiliations.map(({ organization: { id, name }, role }) => ({ id, name, role })),
        deviceToken: session.deviceToken
      }
    }),
    refresh: ({ payload }) => Effect.map(refreshSession(payload.refreshToken), tokensOf),
    acceptInvitation: ({ payload }) =>
      Effect.flatMap(addressOf, (address) => acceptInvitation({ ...payload, address })),
    forgotPassword: ({ payload }) =>
      Effect.flatMap(addressOf, (address) => requestPasswordReset({ email: payload.email, address })),
    resetPassword: ({ payload }) =>
      Effect.asVoid(Effect.flatMap(addressOf, (address) => setPasswordByLink({ ...payload, address })))
  })
)
