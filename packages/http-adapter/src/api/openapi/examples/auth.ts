import {
  acceptInvitation,
  adoptAutomationToken,
  changePassword,
  getMe,
  issueAutomationToken,
  listAutomationTokens,
  listMyOrganizations,
  login,
  logout,
  permissionsOfRole,
  plans,
  refreshSession,
  requestPasswordReset,
  revokeAutomationToken,
  setPasswordByLink,
  updateMe
} from "@parley/domain"
import type { AccountApi, IdentityApi, SessionsApi, TokensApi } from "../../auth.ts"
import type { ExamplesOf } from "./Example.ts"
import {
  ada,
  at,
  automationToken,
  deviceToken,
  grace,
  joined,
  jwt,
  oneTimeToken,
  onlyPageOf,
  organization,
  owner,
  refreshToken,
  secret,
  usage
} from "./samples.ts"

const { limits } = plans[organization.plan]

const password = secret("a long password that only Ada knows")
const newPassword = secret("another long password that only Ada knows")

const pair = {
  accessToken: jwt,
  tokenType: "Bearer",
  expiresIn: 900,
  expiresAt: at("09:45:00.000"),
  refreshToken
} as const

export const sessions: ExamplesOf<typeof SessionsApi> = {
  login: {
    runs: login,
    request: { email: ada.email, password, deviceToken },
    answer: {
      ...pair,
      user: ada,
      organizations: [{ id: organization.id, name: organization.name, role: owner.role }],
      deviceToken
    }
  },
  refresh: { runs: refreshSession, request: { refreshToken }, answer: pair },
  acceptInvitation: {
    runs: acceptInvitation,
    request: { token: oneTimeToken, name: grace.name, password: newPassword },
    answer: { user: grace, member: joined, organizationId: organization.id }
  },
  forgotPassword: { runs: requestPasswordReset, request: { email: ada.email } },
  resetPassword: { runs: setPasswordByLink, request: { token: oneTimeToken, password: newPassword } }
}

export const account: ExamplesOf<typeof AccountApi> = {
  logout: { runs: logout },
  update: { runs: updateMe, request: { name: ada.name }, answer: ada },
  organizations: {
    runs: listMyOrganizations,
    answer: {
      data: [
        {
          id: organization.id,
          slug: organization.slug,
          name: organization.name,
          role: owner.role,
          plan: organization.plan,
          status: organization.status
        }
      ]
    }
  },
  changePassword: { runs: changePassword, request: { currentPassword: password, newPassword } }
}

export const identity: ExamplesOf<typeof IdentityApi> = {
  me: {
    runs: getMe,
    answer: {
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
}

export const tokens: ExamplesOf<typeof TokensApi> = {
  list: { runs: listAutomationTokens, answer: onlyPageOf(automationToken) },
  issue: {
    runs: issueAutomationToken,
    request: {
      name: automationToken.name,
      permissions: ["organization.read", "members.read"],
      expiresAt: automationToken.expiresAt
    },
    answer: { ...automationToken, token: jwt }
  },
  adopt: { runs: adoptAutomationToken, answer: { ...automationToken, adoptedAt: at("11:05:00.000") } },
  revoke: { runs: revokeAutomationToken }
}
