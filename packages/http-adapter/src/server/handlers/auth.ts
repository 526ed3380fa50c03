import {
  acceptInvitation,
  adoptAutomationToken,
  changePassword,
  type Entitlements,
  type Feature,
  getMe,
  issueAutomationToken,
  type Limit,
  listAutomationTokens,
  listMyOrganizations,
  login,
  logout,
  refreshSession,
  requestPasswordReset,
  revokeAutomationToken,
  setPasswordByLink,
  type TokenPair,
  updateMe
} from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { addressOf } from "../clientAddress.ts"

const tokensOf = (pair: TokenPair) => ({
  accessToken: pair.accessToken,
  tokenType: "Bearer" as const,
  expiresIn: pair.expiresIn,
  expiresAt: pair.expiresAt,
  refreshToken: pair.refreshToken
})

export const layerSessions = HttpApiBuilder.group(Api, "sessions", (handlers) =>
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
    refresh: ({ payload }) => Effect.map(refreshSession(payload), tokensOf),
    acceptInvitation: ({ payload }) =>
      Effect.flatMap(addressOf, (address) => acceptInvitation({ ...payload, address })),
    forgotPassword: ({ payload }) =>
      Effect.flatMap(addressOf, (address) => requestPasswordReset({ email: payload.email, address })),
    resetPassword: ({ payload }) =>
      Effect.asVoid(Effect.flatMap(addressOf, (address) => setPasswordByLink({ ...payload, address })))
  })
)

export const layerAccount = HttpApiBuilder.group(Api, "account", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    logout: () => logout(),
    update: ({ payload }) => updateMe(payload),
    organizations: () =>
      Effect.map(listMyOrganizations(), (affiliations) => ({
        data: affiliations.map(({ organization: { id, name, plan, slug, status }, role }) => ({
          id,
          slug,
          name,
          role,
          plan,
          status
        }))
      })),
    changePassword: ({ payload }) => Effect.flatMap(addressOf, (address) => changePassword({ ...payload, address }))
  })
)

const brief = ({ features, limits, plan }: Entitlements) => {
  const allowed = (name: Feature) => features.some(({ allowed, feature }) => feature === name && allowed)
  const use = (name: Limit) => {
    const { max = 0, used = 0 } = limits.find(({ limit }) => limit === name) ?? {}
    return { max, used }
  }
  return {
    plan,
    features: {
      automations: allowed("automations"),
      workflows: allowed("workflows"),
      plugins: allowed("plugins")
    },
    limits: {
      seats: use("seats"),
      contacts: use("contacts"),
      chatAccounts: use("chatAccounts"),
      storeConnections: use("storeConnections"),
      webhookSubscriptions: use("webhookSubscriptions"),
      plugins: use("plugins"),
      automations: use("automations"),
      workflows: use("workflows"),
      broadcastRecipientsPerMonth: use("broadcastRecipientsPerMonth")
    }
  }
}

export const layerIdentity = HttpApiBuilder.group(Api, "identity", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    me: () => Effect.map(getMe(), (me) => ({ ...me, entitlements: brief(me.entitlements) }))
  })
)

export const layerTokens = HttpApiBuilder.group(Api, "tokens", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listAutomationTokens({ page: pageOf(query) }),
    issue: ({ payload }) =>
      Effect.map(issueAutomationToken(payload), ({ automationToken, token }) => ({ ...automationToken, token })),
    adopt: ({ params }) => adoptAutomationToken(params),
    revoke: ({ params }) => revokeAutomationToken(params)
  })
)
