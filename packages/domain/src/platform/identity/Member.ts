import { Schema } from "effect"
import { Role, Timestamp, UserId, Uuid } from "../../kernel/index.ts"
import { Email, EmailInput, Name } from "./Text.ts"

export const MemberId = Uuid.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

/** Invited until the invitation is accepted, then active. Both take a seat. */
export const MemberStatus = Schema.Literals(["invited", "active"])
export type MemberStatus = typeof MemberStatus.Type

/** A person's place in an organization. `userId` and `name` are `null` until the invitation is accepted. */
export class Member extends Schema.Class<Member>("Member")({
  id: MemberId,
  userId: Schema.NullOr(UserId),
  email: Email,
  name: Schema.NullOr(Name),
  role: Role,
  status: MemberStatus,
  invitedAt: Timestamp,
  joinedAt: Schema.NullOr(Timestamp),
  version: Schema.Int
}) {}

/** How an invitation gets to the person: by a mail to them, or as a link that whoever invites hands over. */
export const InvitationDelivery = Schema.Literals(["mail", "link"])
export type InvitationDelivery = typeof InvitationDelivery.Type

/** Whom to invite, and how: by mail if it is not said. */
export const NewMember = Schema.Struct({
  email: EmailInput,
  role: Role,
  delivery: Schema.optionalKey(InvitationDelivery)
}).annotate({ identifier: "NewMember" })
export type NewMember = typeof NewMember.Type
