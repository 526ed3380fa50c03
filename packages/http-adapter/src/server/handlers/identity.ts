import { type Entitlements, type Feature, getMe, type Limit } from "@parley/domain"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

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

/** Who the caller is. */
export const layer = HttpApiBuilder.group(Api, "identity", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    me: () => Effect.map(getMe(), (me) => ({ ...me, entitlements: brief(me.entitlements) }))
  })
)
