import { assert, describe, it } from "@effect/vitest"
import {
  type Actor,
  admit,
  issueAutomationToken,
  Permission,
  type PlanName,
  type Role,
  TokenSigner,
  userActor
} from "@parley/domain"
import { actingIn, actorOf, asPerson, givenMember, givenUser, operator, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { newWorld, type World } from "./attempting.ts"
import { attempts, putOnPlan } from "./attempts.ts"
import { asTable, useCases } from "./useCases.ts"

const member = (role: Role) => (world: World) =>
  Effect.flatMap(givenMember(world.organization, role), (person) => actorOf(person, world.organization))

const stranger = () =>
  Effect.flatMap(givenUser(), (person) =>
    Effect.map(actorOf(person), (actor) => (actor.kind === "user" ? userActor(actor.userId, actor.sessionId) : actor))
  )

/** A token with every permission there is. */
const token = ({ organization, owner }: World) =>
  Effect.gen(function* () {
    const { token } = yield* issueAutomationToken({
      name: "All",
      permissions: ["organization.read", ...Permission.literals],
      expiresAt: DateTime.add(yield* DateTime.now, { days: 1 })
    }).pipe(asPerson(organization, owner))
    const claims = yield* (yield* TokenSigner).verify(token, ["automation"])
    if (claims.use !== "automation") return yield* Effect.die(new Error("This is no automation token."))
    return (yield* admit(claims, organization.id)).actor
  }).pipe(Effect.orDie)

const actors = {
  stranger,
  viewer: member("viewer"),
  agent: member("agent"),
  admin: member("admin"),
  owner: member("owner"),
  token,
  operator: () => Effect.succeed<Actor>(operator)
}

/** What the tables say in short: refused, not in the plan, only of what is one's own. */
const shorthands: Readonly<Record<string, string>> = {
  PermissionDenied: "-",
  FeatureNotInPlan: "plan",
  NoteOfAnother: "own"
}

const outcome = Effect.fnUntraced(function* (name: string, who: keyof typeof actors, plan: PlanName) {
  const world = yield* newWorld
  const actor = yield* actors[who](world)
  const prepare = attempts[name]
  if (prepare === undefined) return "nobody has tried"
  const { call } = yield* prepare(world)
  yield* putOnPlan(world, plan)
  return yield* Effect.match(call.pipe(actingIn(world.organization, actor)), {
    onSuccess: () => "yes",
    onFailure: ({ _tag }) => shorthands[_tag] ?? _tag
  })
})

const columns = ["stranger", "viewer", "agent", "admin", "owner", "token", "operator"] as const

const tableOn = (plan: PlanName) =>
  Effect.map(
    Effect.forEach(useCases, ({ useCase: { name } }) =>
      Effect.map(
        Effect.forEach(columns, (who) => Effect.provide(outcome(name, who, plan), TestKit.layer)),
        (cells) => [name, ...cells]
      )
    ),
    (rows) => asTable([[`on ${plan}`, ...columns], ...rows])
  )

const onFree = `
on free                        | stranger | viewer | agent | admin | owner | token | operator
audit.list                     | -        | -      | -     | yes   | yes   | yes   | yes
automation.create              | -        | -      | -     | plan  | plan  | plan  | plan
automation.delete              | -        | -      | -     | plan  | plan  | plan  | plan
automation.disable             | -        | -      | -     | plan  | plan  | plan  | plan
automation.enable              | -        | -      | -     | plan  | plan  | plan  | plan
automation.get                 | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.list                | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.update              | -        | -      | -     | plan  | plan  | plan  | plan
cannedReplies.create           | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.delete           | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
cannedReplies.update           | -        | -      | yes   | yes   | yes   | yes   | yes
chatAccounts.check             | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.connect           | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.get               | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.list              | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.platformApp       | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.remove            | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.reseal            | -        | -      | -     | -     | -     | -     | yes
chatAccounts.rotateSecret      | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.signUp            | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.update            | -        | -      | -     | yes   | yes   | yes   | yes
chatWebhooks.receive           | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.receiveForAccount | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.verify            | yes      | yes    | yes   | yes   | yes   | yes   | yes
contactFields.create           | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.delete           | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
contactFields.update           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.change                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.create                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.delete                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dismissDuplicate      | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dropFile              | -        | -      | -     | yes   | yes   | yes   | yes
contacts.erase                 | -        | -      | -     | yes   | yes   | yes   | yes
contacts.export                | -        | -      | -     | yes   | yes   | yes   | yes
contacts.exportOne             | -        | -      | -     | yes   | yes   | yes   | yes
contacts.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.getImport             | -        | -      | -     | yes   | yes   | yes   | yes
contacts.import                | -        | -      | -     | yes   | yes   | yes   | yes
contacts.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.listDuplicates        | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.merge                 | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.readImportFaults      | -        | -      | -     | yes   | yes   | yes   | yes
contacts.receiveFile           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.tag                   | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.timeline              | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.unmerge               | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.untag                 | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.update                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.upsertByPhone         | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.assign           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.change           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.count            | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.get              | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.open             | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.read             | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.reopen           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.resolve          | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.snooze           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.update           | -        | -      | yes   | yes   | yes   | yes   | yes
deliveries.list                | -        | -      | -     | -     | -     | -     | yes
deliveries.park                | -        | -      | -     | -     | -     | -     | yes
deliveries.replay              | -        | -      | -     | -     | -     | -     | yes
deliveries.show                | -        | -      | -     | -     | -     | -     | yes
docsHandoff.exchange           | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.getSession         | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.handOff            | -        | yes    | yes   | yes   | yes   | -     | -
entitlements.get               | -        | yes    | yes   | yes   | yes   | yes   | yes
events.follow                  | -        | yes    | yes   | yes   | yes   | yes   | yes
events.list                    | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.acceptInvitation      | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.addMember             | -        | -      | -     | -     | -     | -     | yes
identity.adoptAutomationToken  | -        | -      | -     | -     | yes   | -     | -
identity.changeMemberRole      | -        | -      | -     | yes   | yes   | yes   | yes
identity.changePassword        | yes      | yes    | yes   | yes   | yes   | -     | -
identity.createOrganization    | -        | -      | -     | -     | -     | -     | yes
identity.createUser            | -        | -      | -     | -     | -     | -     | yes
identity.getMe                 | -        | yes    | yes   | yes   | yes   | yes   | -
identity.getOrganization       | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.inviteMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.issueAutomationToken  | -        | -      | -     | yes   | yes   | -     | -
identity.linkPasswordReset     | -        | -      | -     | -     | -     | -     | yes
identity.listAutomationTokens  | -        | -      | -     | yes   | yes   | yes   | yes
identity.listMembers           | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.login                 | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.logout                | yes      | yes    | yes   | yes   | yes   | -     | -
identity.refreshSession        | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.removeMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.requestPasswordReset  | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.resetPassword         | -        | -      | -     | -     | -     | -     | yes
identity.revokeAutomationToken | -        | -      | -     | yes   | yes   | yes   | yes
identity.rotateSigningKey      | -        | -      | -     | -     | -     | -     | yes
identity.setOrganizationPlan   | -        | -      | -     | -     | -     | -     | yes
identity.setOrganizationStatus | -        | -      | -     | -     | -     | -     | yes
identity.setPasswordByLink     | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.setUserStatus         | -        | -      | -     | -     | -     | -     | yes
identity.updateMe              | yes      | yes    | yes   | yes   | yes   | -     | -
identity.updateOrganization    | -        | -      | -     | yes   | yes   | yes   | yes
jobs.cancel                    | -        | -      | yes   | yes   | yes   | yes   | yes
jobs.get                       | -        | yes    | yes   | yes   | yes   | yes   | yes
jobs.list                      | -        | yes    | yes   | yes   | yes   | yes   | yes
media.drop                     | -        | -      | yes   | yes   | yes   | yes   | yes
media.keep                     | -        | -      | yes   | yes   | yes   | yes   | yes
media.read                     | -        | yes    | yes   | yes   | yes   | yes   | yes
media.receive                  | -        | -      | yes   | yes   | yes   | yes   | yes
media.upload                   | -        | -      | yes   | yes   | yes   | yes   | yes
messageTemplates.create        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.delete        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.get           | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.list          | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.preview       | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.submit        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.sync          | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.update        | -        | -      | -     | yes   | yes   | yes   | yes
messages.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.retry                 | -        | -      | yes   | yes   | yes   | yes   | yes
messages.send                  | -        | -      | yes   | yes   | yes   | yes   | yes
notes.create                   | -        | -      | yes   | yes   | yes   | yes   | yes
notes.delete                   | -        | -      | own   | yes   | yes   | yes   | yes
notes.list                     | -        | yes    | yes   | yes   | yes   | yes   | yes
notes.update                   | -        | -      | own   | own   | own   | own   | own
operations.showWorkers         | -        | -      | -     | -     | -     | -     | yes
segments.create                | -        | -      | yes   | yes   | yes   | yes   | yes
segments.delete                | -        | -      | yes   | yes   | yes   | yes   | yes
segments.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.update                | -        | -      | yes   | yes   | yes   | yes   | yes
subscribers.forget             | -        | -      | -     | -     | -     | -     | yes
subscribers.list               | -        | -      | -     | -     | -     | -     | yes
subscribers.listParked         | -        | -      | -     | -     | -     | -     | yes
subscribers.replayParked       | -        | -      | -     | -     | -     | -     | yes
subscribers.rewind             | -        | -      | -     | -     | -     | -     | yes
subscribers.skipParked         | -        | -      | -     | -     | -     | -     | yes
suppressions.reseal            | -        | -      | -     | -     | -     | -     | yes
tags.create                    | -        | -      | yes   | yes   | yes   | yes   | yes
tags.delete                    | -        | -      | yes   | yes   | yes   | yes   | yes
tags.get                       | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.list                      | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.merge                     | -        | -      | yes   | yes   | yes   | yes   | yes
tags.update                    | -        | -      | yes   | yes   | yes   | yes   | yes
`

const onGrowth = `
on growth                      | stranger | viewer | agent | admin | owner | token | operator
audit.list                     | -        | -      | -     | yes   | yes   | yes   | yes
automation.create              | -        | -      | -     | yes   | yes   | yes   | yes
automation.delete              | -        | -      | -     | yes   | yes   | yes   | yes
automation.disable             | -        | -      | -     | yes   | yes   | yes   | yes
automation.enable              | -        | -      | -     | yes   | yes   | yes   | yes
automation.get                 | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.list                | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.update              | -        | -      | -     | yes   | yes   | yes   | yes
cannedReplies.create           | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.delete           | -        | -      | yes   | yes   | yes   | yes   | yes
cannedReplies.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
cannedReplies.update           | -        | -      | yes   | yes   | yes   | yes   | yes
chatAccounts.check             | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.connect           | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.get               | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.list              | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.platformApp       | -        | yes    | yes   | yes   | yes   | yes   | yes
chatAccounts.remove            | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.reseal            | -        | -      | -     | -     | -     | -     | yes
chatAccounts.rotateSecret      | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.signUp            | -        | -      | -     | yes   | yes   | yes   | yes
chatAccounts.update            | -        | -      | -     | yes   | yes   | yes   | yes
chatWebhooks.receive           | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.receiveForAccount | yes      | yes    | yes   | yes   | yes   | yes   | yes
chatWebhooks.verify            | yes      | yes    | yes   | yes   | yes   | yes   | yes
contactFields.create           | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.delete           | -        | -      | -     | yes   | yes   | yes   | yes
contactFields.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
contactFields.update           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.change                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.create                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.delete                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dismissDuplicate      | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.dropFile              | -        | -      | -     | yes   | yes   | yes   | yes
contacts.erase                 | -        | -      | -     | yes   | yes   | yes   | yes
contacts.export                | -        | -      | -     | yes   | yes   | yes   | yes
contacts.exportOne             | -        | -      | -     | yes   | yes   | yes   | yes
contacts.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.getImport             | -        | -      | -     | yes   | yes   | yes   | yes
contacts.import                | -        | -      | -     | yes   | yes   | yes   | yes
contacts.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.listDuplicates        | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.merge                 | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.readImportFaults      | -        | -      | -     | yes   | yes   | yes   | yes
contacts.receiveFile           | -        | -      | -     | yes   | yes   | yes   | yes
contacts.tag                   | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.timeline              | -        | yes    | yes   | yes   | yes   | yes   | yes
contacts.unmerge               | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.untag                 | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.update                | -        | -      | yes   | yes   | yes   | yes   | yes
contacts.upsertByPhone         | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.assign           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.change           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.count            | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.get              | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.list             | -        | yes    | yes   | yes   | yes   | yes   | yes
conversations.open             | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.read             | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.reopen           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.resolve          | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.snooze           | -        | -      | yes   | yes   | yes   | yes   | yes
conversations.update           | -        | -      | yes   | yes   | yes   | yes   | yes
deliveries.list                | -        | -      | -     | -     | -     | -     | yes
deliveries.park                | -        | -      | -     | -     | -     | -     | yes
deliveries.replay              | -        | -      | -     | -     | -     | -     | yes
deliveries.show                | -        | -      | -     | -     | -     | -     | yes
docsHandoff.exchange           | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.getSession         | yes      | yes    | yes   | yes   | yes   | yes   | yes
docsHandoff.handOff            | -        | yes    | yes   | yes   | yes   | -     | -
entitlements.get               | -        | yes    | yes   | yes   | yes   | yes   | yes
events.follow                  | -        | yes    | yes   | yes   | yes   | yes   | yes
events.list                    | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.acceptInvitation      | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.addMember             | -        | -      | -     | -     | -     | -     | yes
identity.adoptAutomationToken  | -        | -      | -     | -     | yes   | -     | -
identity.changeMemberRole      | -        | -      | -     | yes   | yes   | yes   | yes
identity.changePassword        | yes      | yes    | yes   | yes   | yes   | -     | -
identity.createOrganization    | -        | -      | -     | -     | -     | -     | yes
identity.createUser            | -        | -      | -     | -     | -     | -     | yes
identity.getMe                 | -        | yes    | yes   | yes   | yes   | yes   | -
identity.getOrganization       | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.inviteMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.issueAutomationToken  | -        | -      | -     | yes   | yes   | -     | -
identity.linkPasswordReset     | -        | -      | -     | -     | -     | -     | yes
identity.listAutomationTokens  | -        | -      | -     | yes   | yes   | yes   | yes
identity.listMembers           | -        | yes    | yes   | yes   | yes   | yes   | yes
identity.login                 | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.logout                | yes      | yes    | yes   | yes   | yes   | -     | -
identity.refreshSession        | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.removeMember          | -        | -      | -     | yes   | yes   | yes   | yes
identity.requestPasswordReset  | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.resetPassword         | -        | -      | -     | -     | -     | -     | yes
identity.revokeAutomationToken | -        | -      | -     | yes   | yes   | yes   | yes
identity.rotateSigningKey      | -        | -      | -     | -     | -     | -     | yes
identity.setOrganizationPlan   | -        | -      | -     | -     | -     | -     | yes
identity.setOrganizationStatus | -        | -      | -     | -     | -     | -     | yes
identity.setPasswordByLink     | yes      | yes    | yes   | yes   | yes   | yes   | yes
identity.setUserStatus         | -        | -      | -     | -     | -     | -     | yes
identity.updateMe              | yes      | yes    | yes   | yes   | yes   | -     | -
identity.updateOrganization    | -        | -      | -     | yes   | yes   | yes   | yes
jobs.cancel                    | -        | -      | yes   | yes   | yes   | yes   | yes
jobs.get                       | -        | yes    | yes   | yes   | yes   | yes   | yes
jobs.list                      | -        | yes    | yes   | yes   | yes   | yes   | yes
media.drop                     | -        | -      | yes   | yes   | yes   | yes   | yes
media.keep                     | -        | -      | yes   | yes   | yes   | yes   | yes
media.read                     | -        | yes    | yes   | yes   | yes   | yes   | yes
media.receive                  | -        | -      | yes   | yes   | yes   | yes   | yes
media.upload                   | -        | -      | yes   | yes   | yes   | yes   | yes
messageTemplates.create        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.delete        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.get           | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.list          | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.preview       | -        | yes    | yes   | yes   | yes   | yes   | yes
messageTemplates.submit        | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.sync          | -        | -      | -     | yes   | yes   | yes   | yes
messageTemplates.update        | -        | -      | -     | yes   | yes   | yes   | yes
messages.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
messages.retry                 | -        | -      | yes   | yes   | yes   | yes   | yes
messages.send                  | -        | -      | yes   | yes   | yes   | yes   | yes
notes.create                   | -        | -      | yes   | yes   | yes   | yes   | yes
notes.delete                   | -        | -      | own   | yes   | yes   | yes   | yes
notes.list                     | -        | yes    | yes   | yes   | yes   | yes   | yes
notes.update                   | -        | -      | own   | own   | own   | own   | own
operations.showWorkers         | -        | -      | -     | -     | -     | -     | yes
segments.create                | -        | -      | yes   | yes   | yes   | yes   | yes
segments.delete                | -        | -      | yes   | yes   | yes   | yes   | yes
segments.get                   | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.list                  | -        | yes    | yes   | yes   | yes   | yes   | yes
segments.update                | -        | -      | yes   | yes   | yes   | yes   | yes
subscribers.forget             | -        | -      | -     | -     | -     | -     | yes
subscribers.list               | -        | -      | -     | -     | -     | -     | yes
subscribers.listParked         | -        | -      | -     | -     | -     | -     | yes
subscribers.replayParked       | -        | -      | -     | -     | -     | -     | yes
subscribers.rewind             | -        | -      | -     | -     | -     | -     | yes
subscribers.skipParked         | -        | -      | -     | -     | -     | -     | yes
suppressions.reseal            | -        | -      | -     | -     | -     | -     | yes
tags.create                    | -        | -      | yes   | yes   | yes   | yes   | yes
tags.delete                    | -        | -      | yes   | yes   | yes   | yes   | yes
tags.get                       | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.list                      | -        | yes    | yes   | yes   | yes   | yes   | yes
tags.merge                     | -        | -      | yes   | yes   | yes   | yes   | yes
tags.update                    | -        | -      | yes   | yes   | yes   | yes   | yes
`

const expected: Readonly<Record<PlanName, string>> = {
  free: onFree,
  growth: onGrowth,
  scale: onGrowth.replace("on growth", "on scale ")
}

describe("who may do what, on which plan", () => {
  it("is tried for every use case", () => {
    assert.deepStrictEqual(
      Object.keys(attempts).toSorted(),
      useCases.map(({ useCase }) => useCase.name)
    )
  })

  it.effect.each(["free", "growth", "scale"] as const)(
    "is as the table says on the plan %s",
    (plan) => Effect.map(tableOn(plan), (table) => assert.strictEqual(table, expected[plan].trim(), `\n${table}\n`)),
    30_000
  )
})
