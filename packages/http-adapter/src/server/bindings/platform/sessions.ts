import { Effect } from "effect"
import {
  acceptInvitation,
  login,
  refreshSession,
  requestPasswordReset,
  setPasswordByLink,
  type TokenPair
} from "@parley/domain/platform"
import { SessionsApi } from "../../../api/auth.ts"
import { addressOf } from "../../clientAddress.ts"
import {
  ada,
  at,
  deviceToken,
  grace,
  joined,
  jwt,
  oneTimeToken,
  organization,
  owner,
  refreshToken,
  newPassword,
  password
} from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

const pair = {
  accessToken: jwt,
  tokenType: "Bearer",
  expiresIn: 900,
  expiresAt: at("09:45:00.000"),
  refreshToken
} as const

const tokensOf = (pair: TokenPair) => ({
  accessToken: pair.accessToken,
  tokenType: "Bearer" as const,
  expiresIn: pair.expiresIn,
  expiresAt: pair.expiresAt,
  refreshToken: pair.refreshToken
})

export const sessions = bindWith(
  SessionsApi,
  {
    login: {
      uses: login,
      request: { email: ada.email, password, deviceToken },
      response: {
        ...pair,
        user: ada,
        organizations: [{ id: organization.id, name: organization.name, role: owner.role }],
        deviceToken
      }
    },
    refresh: { uses: refreshSession, request: { refreshToken }, response: pair },
    acceptInvitation: {
      uses: acceptInvitation,
      request: { token: oneTimeToken, name: grace.name, password: newPassword },
      response: { user: grace, member: joined, organizationId: organization.id }
    },
    forgotPassword: { uses: requestPasswordReset, request: { email: ada.email } },
    resetPassword: { uses: setPasswordByLink, request: { token: oneTimeToken, password: newPassword } }
  },
  (handlers) =>
    handlers.handleAll({
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
      refresh: ({ payload }) => Effect.map(refreshSession(payload), tokensOf),
      acceptInvitation: ({ payload }) =>
        Effect.flatMap(addressOf, (address) => acceptInvitation({ ...payload, address })),
      forgotPassword: ({ payload }) =>
        Effect.flatMap(addressOf, (address) => requestPasswordReset({ email: payload.email, address })),
      resetPassword: ({ payload }) =>
        Effect.asVoid(Effect.flatMap(addressOf, (address) => setPasswordByLink({ ...payload, address })))
    })
)
