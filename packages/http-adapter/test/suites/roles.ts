import { assert } from "@effect/vitest"
import type { PlanName, Ports, Role } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { type Endpoint, endpoints } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { givenAutomationToken, givenPerson, givenTenant } from "../harness/tenants.ts"

/**
 * Who may call what. "token" is an automation token without a permission; "no" is a refusal for want of the permission in
 * the second column; three outcomes are those on the plans free, growth and scale.
 */
const expected = `
  sessions.login            |                     | 200 | 200 | 200 | 200 | 200          | 200
  sessions.refresh          |                     | 200 | 200 | 200 | 200 | 200          | 200
  sessions.acceptInvitation |                     | 201 | 201 | 201 | 201 | 201          | 201
  sessions.forgotPassword   |                     | 204 | 204 | 204 | 204 | 204          | 204
  sessions.resetPassword    |                     | 204 | 204 | 204 | 204 | 204          | 204
  account.logout            | user                | 401 | no  | 204 | 204 | 204          | 204
  account.update            | user                | 401 | no  | 200 | 200 | 200          | 200
  account.changePassword    | user                | 401 | no  | 204 | 204 | 204          | 204
  identity.me               | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  tokens.list               | tokens.manage       | 401 | no  | no  | no  | 200          | 200
  tokens.issue              | tokens.manage       | 401 | no  | no  | no  | 201          | 201
  tokens.adopt              | owners.manage       | 401 | no  | no  | no  | no           | 200
  tokens.revoke             | tokens.manage       | 401 | no  | no  | no  | 204          | 204
  organization.get          | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  organization.update       | organization.manage | 401 | no  | no  | no  | 200          | 200
  organization.entitlements | organization.read   | 401 | no  | 200 | 200 | 200          | 200
  members.list              | members.read        | 401 | no  | 200 | 200 | 200          | 200
  members.invite            | members.manage      | 401 | no  | no  | no  | 201          | 201
  members.changeRole        | members.manage      | 401 | no  | no  | no  | 200          | 200
  members.remove            | members.manage      | 401 | no  | no  | no  | 204          | 204
  contacts.list             | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  contacts.create           | contacts.manage     | 401 | no  | no  | 201 | 201          | 201
  contacts.get              | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  contacts.update           | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.delete           | contacts.manage     | 401 | no  | no  | 204 | 204          | 204
  contacts.upsertByPhone    | contacts.manage     | 401 | no  | no  | 201 | 201          | 201
  contacts.tag              | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.untag            | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.bulk             | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.merge            | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.unmerge          | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  contacts.listDuplicates   | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  contacts.dismissDuplicate | contacts.manage     | 401 | no  | no  | 204 | 204          | 204
  contacts.timeline         | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  contacts.exportOne        | contacts.export     | 401 | no  | no  | no  | 200          | 200
  contactTransfer.import    | contacts.import     | 401 | no  | no  | no  | 202          | 202
  contactTransfer.getImport | contacts.import     | 401 | no  | no  | no  | 200          | 200
  contactTransfer.importErrors | contacts.import  | 401 | no  | no  | no  | 200          | 200
  contactTransfer.export    | contacts.export     | 401 | no  | no  | no  | 200          | 200
  tags.list                 | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  tags.create               | contacts.manage     | 401 | no  | no  | 201 | 201          | 201
  tags.get                  | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  tags.update               | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  tags.delete               | contacts.manage     | 401 | no  | no  | 204 | 204          | 204
  tags.merge                | contacts.manage     | 401 | no  | no  | 202 | 202          | 202
  contactFields.list        | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  contactFields.create      | contact_fields.manage | 401 | no  | no  | no  | 201          | 201
  contactFields.update      | contact_fields.manage | 401 | no  | no  | no  | 200          | 200
  contactFields.delete      | contact_fields.manage | 401 | no  | no  | no  | 202          | 202
  segments.list             | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  segments.create           | contacts.manage     | 401 | no  | no  | 201 | 201          | 201
  segments.get              | contacts.read       | 401 | no  | 200 | 200 | 200          | 200
  segments.update           | contacts.manage     | 401 | no  | no  | 200 | 200          | 200
  segments.delete           | contacts.manage     | 401 | no  | no  | 204 | 204          | 204
  chatAccounts.list         | chat_accounts.read  | 401 | no  | 200 | 200 | 200          | 200
  chatAccounts.create       | chat_accounts.manage | 401 | no  | no  | no  | 201          | 201
  chatAccounts.get          | chat_accounts.read  | 401 | no  | 200 | 200 | 200          | 200
  chatAccounts.update       | chat_accounts.manage | 401 | no  | no  | no  | 200          | 200
  chatAccounts.delete       | chat_accounts.manage | 401 | no  | no  | no  | 204          | 204
  chatAccounts.check        | chat_accounts.manage | 401 | no  | no  | no  | 200          | 200
  chatAccounts.rotateSecret | chat_accounts.manage | 401 | no  | no  | no  | 200          | 200
  chatAccounts.platformApp  | chat_accounts.read  | 401 | no  | 200 | 200 | 200          | 200
  chatAccounts.connectThroughPlatformApp | chat_accounts.manage | 401 | no  | no  | no  | 201          | 201
  messageTemplates.list     | message_templates.read | 401 | no  | 200 | 200 | 200          | 200
  messageTemplates.create   | message_templates.manage | 401 | no  | no  | no  | 201          | 201
  messageTemplates.get      | message_templates.read | 401 | no  | 200 | 200 | 200          | 200
  messageTemplates.update   | message_templates.manage | 401 | no  | no  | no  | 200          | 200
  messageTemplates.delete   | message_templates.manage | 401 | no  | no  | no  | 204          | 204
  messageTemplates.submit   | message_templates.manage | 401 | no  | no  | no  | 200          | 200
  messageTemplates.preview  | message_templates.read | 401 | no  | 200 | 200 | 200          | 200
  messageTemplates.sync     | message_templates.manage | 401 | no  | no  | no  | 200          | 200
  conversations.list        | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  conversations.create      | conversations.manage | 401 | no  | no  | 201 | 201          | 201
  conversations.counts      | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  conversations.bulk        | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.get         | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  conversations.update      | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.read        | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.assign      | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.snooze      | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.resolve     | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  conversations.reopen      | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  messages.list             | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  messages.send             | conversations.manage | 401 | no  | no  | 202 | 202          | 202
  messages.get              | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  messages.retry            | conversations.manage | 401 | no  | no  | 202 | 202          | 202
  notes.list                | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  notes.create              | conversations.manage | 401 | no  | no  | 201 | 201          | 201
  notes.update              | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  notes.delete              | conversations.manage | 401 | no  | no  | 204 | 204          | 204
  cannedReplies.list        | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  cannedReplies.create      | conversations.manage | 401 | no  | no  | 201 | 201          | 201
  cannedReplies.update      | conversations.manage | 401 | no  | no  | 200 | 200          | 200
  cannedReplies.delete      | conversations.manage | 401 | no  | no  | 204 | 204          | 204
  media.upload              | conversations.manage | 401 | no  | no  | 201 | 201          | 201
  media.download            | conversations.read  | 401 | no  | 200 | 200 | 200          | 200
  automations.list          | automations.read    | 401 | no  | 200 | 200 | 200          | 200
  automations.create        | automations.manage  | 401 | no  | no  | no  | plan 201 201 | plan 201 201
  automations.get           | automations.read    | 401 | no  | 200 | 200 | 200          | 200
  automations.update        | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  automations.delete        | automations.manage  | 401 | no  | no  | no  | plan 204 204 | plan 204 204
  automations.enable        | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  automations.disable       | automations.manage  | 401 | no  | no  | no  | plan 200 200 | plan 200 200
  jobs.list                 | jobs.read           | 401 | no  | 200 | 200 | 200          | 200
  jobs.get                  | jobs.read           | 401 | no  | 200 | 200 | 200          | 200
  jobs.cancel               | jobs.manage         | 401 | no  | no  | 200 | 200          | 200
  events.list               | events.read         | 401 | no  | 200 | 200 | 200          | 200
  audit.list                | audit.read          | 401 | no  | no  | no  | 200          | 200
  docs.handoff              | docs.handoff        | 401 | no  | 200 | 200 | 200          | 200
  docs.exchange             |                     | 200 | 200 | 200 | 200 | 200          | 200
  docs.session              |                     | 401 | 401 | 401 | 401 | 401          | 401
  chatWebhooks.verifyPlatform |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receivePlatform |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.verifyOwn    |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receiveOwn   |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receiveForAccount |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receiveForAccountUnderPrefix |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.verifyPlatformUnderPrefix |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receivePlatformUnderPrefix |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.verifyOwnUnderPrefix |                     | 200 | 200 | 200 | 200 | 200          | 200
  chatWebhooks.receiveOwnUnderPrefix |                     | 200 | 200 | 200 | 200 | 200          | 200
  operations.jwks           |                     | 200 | 200 | 200 | 200 | 200          | 200
  operations.health         |                     | 200 | 200 | 200 | 200 | 200          | 200
  operations.ready          |                     | 200 | 200 | 200 | 200 | 200          | 200`

const callers = ["nobody", "token", "viewer", "agent", "admin", "owner"] as const
type Caller = (typeof callers)[number]

const plans: ReadonlyArray<PlanName> = ["free", "growth", "scale"]

const isRole = (caller: Caller): caller is Role => caller !== "nobody" && caller !== "token"

/** What a caller gets from an endpoint on a plan: in an organization of its own, with everything that the request needs. */
const answerTo = Effect.fnUntraced(function* (endpoint: Endpoint, caller: Caller, plan: PlanName) {
  const tenant = yield* givenTenant(plan)
  const person = caller === "owner" || !isRole(caller) ? tenant.owner : yield* givenPerson(tenant.organization, caller)
  const { path, token: _, ...what } = yield* validRequest(endpoint, { tenant, person })
  const token = caller === "token" ? (yield* givenAutomationToken(tenant, [])).token : person.token
  return yield* call(endpoint.method, path, { ...what, ...(caller !== "nobody" && { token }) })
})

const outcomeOf = ({ body, status }: Answer) => {
  if (body.code === "permission_denied") return "no"
  return body.code === "feature_not_in_plan" ? "plan" : String(status)
}

const cellOf = (answers: ReadonlyArray<Answer>) => {
  const outcomes = answers.map(outcomeOf)
  return (new Set(outcomes).size === 1 ? outcomes.slice(0, 1) : outcomes).join(" ")
}

const rowOf = Effect.fnUntraced(function* (endpoint: Endpoint) {
  const cells = yield* Effect.forEach(
    callers,
    (caller) => Effect.forEach(plans, (plan) => answerTo(endpoint, caller, plan), { concurrency: "unbounded" }),
    { concurrency: "unbounded" }
  )
  const needed = new Set(
    cells.flat().flatMap(({ body }) => (body.code === "permission_denied" ? [String(body.permission)] : []))
  )
  return [endpoint.id, Array.from(needed).join(" "), ...cells.map(cellOf)].join(" | ")
})

const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .join(" | ")
    )

/** Every endpoint, every role, every plan: the whole table. */
export const rolesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect(
      "every endpoint answers every caller on every plan as the table says",
      () => Effect.map(Effect.forEach(endpoints, rowOf), (rows) => assert.deepStrictEqual(rows, rowsOf(expected))),
      300_000
    )
  })
