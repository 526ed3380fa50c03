import { DateTime, Duration, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { admitting } from "../../entitlements/index.ts"
import { CurrentActor, Ids, nextId, transact, useCase, Vault } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { MailerAbsent, MailSettings, queueMail } from "../../mail/index.ts"
import { invitationLetter, invitationUrl, type OneTimeLink } from "../mailing/letters.ts"
import { limitInvitations } from "../mailing/mailLimits.ts"
import { Member, MemberId, type NewMember } from "../Member.ts"
import { Members } from "../Members.ts"
import { Organizations } from "../Organizations.ts"
import { requireRankFor } from "../ownership.ts"

const invitationLife = Duration.days(7)

/** A mail that could not be sent for so long is of no use: whoever invites looks after it another way by then. */
const mailLife = Duration.days(1)

/** How an invitation leaves. Only whoever asks for the link sees it, and only once. */
export type Invitation =
  | ({ readonly delivery: "link" } & OneTimeLink)
  | { readonly delivery: "mail"; readonly expiresAt: DateTime.Utc }

/** The person who answers for what is done here; `null` where that is an operator. */
const whoInvites = Effect.map(CurrentActor, (actor) => {
  if (actor.kind === "user") return actor.userId
  return actor.kind === "token" ? actor.responsibleUserId : null
})

const mailInvitation = Effect.fnUntraced(function* (member: Member, url: string) {
  const { sendsMail } = yield* MailSettings
  if (!sendsMail) return yield* new MailerAbsent()
  const organization = yield* (yield* Organizations).current()
  yield* limitInvitations(organization.id, member.email)
  yield* queueMail(member.email, invitationLetter(organization.name, member.role, url), {
    audience: "anybody",
    expiresAt: DateTime.addDuration(member.invitedAt, mailLife),
    sentBy: organization.id
  })
})

/**
 * Invites a person, by a mail to them or by a link that is shown now and never again. Who accepts a mailed invitation has
 * the mailbox; a link proves nothing, so that it gives no hold on an account that somebody else may own.
 */
export const inviteMember = useCase(
  "identity.inviteMember",
  { access: { permission: "members.manage" } },
  Effect.fnUntraced(function* ({ delivery = "mail", email, role }: NewMember) {
    const members = yield* Members
    yield* requireRankFor(role)
    const now = yield* DateTime.now
    const token = yield* (yield* Ids).secret(32)
    const expiresAt = DateTime.addDuration(now, invitationLife)
    const member = new Member({
      id: yield* nextId(MemberId),
      userId: null,
      email,
      name: null,
      role,
      status: "invited",
      invitedAt: now,
      joinedAt: null,
      version: 1
    })
    const digest = yield* (yield* Vault).digest(token)
    const invited = { digest, expiresAt, delivery, invitedBy: yield* whoInvites }
    yield* members.insert(member, invited).pipe(admitting("seats"))
    yield* record(
      "member.invited",
      { kind: "member", id: member.id },
      {
        after: { email: member.email, role: member.role, delivery }
      }
    )
    yield* appendEvent({ type: "member.invited", memberId: member.id, role: member.role })
    const { publicUrl } = yield* MailSettings
    const url = invitationUrl(publicUrl, token)
    if (delivery === "mail") yield* mailInvitation(member, url)
    const invitation: Invitation = delivery === "mail" ? { delivery, expiresAt } : { delivery, token, url, expiresAt }
    return { member, invitation }
  }, transact)
)
