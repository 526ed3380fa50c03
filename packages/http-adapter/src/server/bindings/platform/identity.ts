import { Effect } from "effect"
import type { Feature } from "@parley/domain/kernel"
import { type Entitlements, getMe, type Limit, permissionsOfRole, plans } from "@parley/domain/platform"
import { IdentityApi } from "../../../api/auth.ts"
import { ada, organization, owner, usage } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

const { limits } = plans[organization.plan]

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

export const identity = bindWith(
  IdentityApi,
  {
    me: {
      uses: getMe,
      response: {
        user: ada,
        organization,
        membership: { role: owner.role, permissions: Array.from(permissionsOfRole(owner.role)) },
        entitlements: {
          plan: organization.plan,
          features: { automations: true, workflows: false, plugins: false },
          limits: {
            seats: { max: limits.seats, used: usage.seats },
            contacts: { max: limits.contacts, used: usage.contacts },
            chatAccounts: { max: limits.chatAccounts, used: usage.chatAccounts },
            storeConnections: { max: limits.storeConnections, used: usage.storeConnections },
            webhookSubscriptions: { max: limits.webhookSubscriptions, used: usage.webhookSubscriptions },
            plugins: { max: limits.plugins, used: usage.plugins },
            automations: { max: limits.automations, used: usage.automations },
            workflows: { max: limits.workflows, used: usage.workflows },
            broadcastRecipientsPerMonth: {
              max: limits.broadcastRecipientsPerMonth,
              used: usage.broadcastRecipientsPerMonth
            }
          }
        }
      }
    }
  },
  (handlers) =>
    handlers.handleAll({
      me: () => Effect.map(getMe(), (me) => ({ ...me, entitlements: brief(me.entitlements) }))
    })
)
