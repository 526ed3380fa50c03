import { Role } from "@parley/domain/kernel"
import {
  addMember,
  Availability,
  type AvailabilityInput,
  AvailabilityStatus,
  EmailAddressInput,
  Member
} from "@parley/domain/platform"
import { wholeNumber } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { collect, pageFlags, queryOf } from "../console/listing.ts"
import { printCard, printJson, printList, printOne, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { inOrganizationMeant, memberNamed, userNamed } from "../tenant/selection.ts"
import { operate } from "../tenant/target.ts"

const view: Pick<View<Availability>, "columns" | "schema"> = {
  schema: Availability,
  columns: [
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "CAPACITY", of: ({ capacity }) => String(capacity), align: "right" }
  ]
}

/** Command that shows or changes whether a member takes automatically assigned conversations. */
const availabilityCommand = (member: Argument.Argument<string>) =>
  Command.make(
    "availability",
    {
      org: Flags.org,
      member,
      status: Flag.Literals("status", AvailabilityStatus.literals).pipe(
        Flag.withDescription("Whether the member gets conversations"),
        Flag.optional
      ),
      capacity: typedFlag("capacity", wholeNumber(1, 1_000)).pipe(
        Flag.withMetavar("integer"),
        Flag.withDescription("Maximum number of open conversations from automatic assignment"),
        Flag.optional
      ),
      json: Flags.json
    },
    Effect.fn(function* ({ capacity, json, member, org, status }) {
      yield* inTenant(
        org,
        Effect.fnUntraced(function* (tenant) {
          const { id } = yield* memberNamed(tenant, member)
          const params = { id }
          const before = yield* tenant.members.availability({ params })
          if (Option.isNone(status) && Option.isNone(capacity)) return yield* printCard(view, json, before)
          const payload: AvailabilityInput = {
            status: Option.getOrElse(status, () => before.status),
            ...(Option.isSome(capacity) && { capacity: capacity.value })
          }
          yield* printCard(view, json, yield* tenant.members.setAvailability({ params, payload }))
        })
      )
    })
  ).pipe(
    Command.withDescription("Show or change whether a member gets automatically assigned conversations"),
    Command.withExamples([{ command: "parley members availability --org acme ann@acme.example --status away" }])
  )

const memberView: View<Member> = {
  schema: Member,
  none: "This organization has no member yet. Add one: parley members add --org <organization> <user> --role owner",
  columns: [
    { heading: "ID", of: (member) => member.id },
    { heading: "EMAIL", of: (member) => member.email },
    { heading: "NAME", of: (member) => member.name ?? "" },
    { heading: "ROLE", of: (member) => member.role },
    { heading: "STATUS", of: (member) => member.status },
    { heading: "JOINED", of: (member) => (member.joinedAt === null ? "" : DateTime.formatIso(member.joinedAt)) }
  ]
}

const encode = Schema.encodeSync(Member)

const memberArgument = Argument.String("member").pipe(
  Argument.withDescription("E-mail address of the member, or id of the member or user")
)

const add = Command.make(
  "add",
  {
    org: Flags.org,
    user: Flags.user,
    role: Flag.Literals("role", Role.literals).pipe(Flag.withDescription("Role")),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, org, quiet, role, user }) {
    yield* operate(
      inOrganizationMeant(
        org,
        Effect.gen(function* () {
          const { id } = yield* userNamed(user)
          yield* printOne(memberView, { json, quiet }, yield* addMember({ userId: id, role }))
        })
      ),
      ` On a service, invite the person: parley members invite ${user} --role ${role}`
    )
  })
).pipe(
  Command.withDescription("Add a user as a member, without an invitation"),
  Command.withExamples([{ command: "parley members add --org acme ann@acme.example --role owner" }])
)

const withoutMail = "This service has no mail server configured. Repeat the command without --mail to print the link."

const invite = Command.make(
  "invite",
  {
    org: Flags.org,
    email: typedArgument("email", EmailAddressInput).pipe(Argument.withDescription("E-mail address of the person")),
    role: Flag.Literals("role", Role.literals).pipe(Flag.withDescription("Role")),
    mail: Flag.Boolean("mail").pipe(
      Flag.withDescription("Send the link by mail and do not print it. A running service sends the mail"),
      Flag.withDefault(false)
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ email, json, mail, org, quiet, role }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ members }) {
        const invited = yield* members
          .invite({ payload: { email, role, delivery: mail ? "mail" : "link" } })
          .pipe(Effect.catchTag("EmailNotConfigured", () => new Refused({ message: withoutMail })))
        const { invitation } = invited
        const url = invitation.delivery === "link" ? invitation.url : null
        const expiresAt = DateTime.formatIso(invitation.expiresAt)
        if (json) {
          return yield* printJson({
            member: encode(invited.member),
            invitation: { delivery: invitation.delivery, url, expiresAt }
          })
        }
        if (quiet) return yield* Console.log(url ?? invited.member.id)
        yield* Console.log(
          url === null
            ? `The invitation to ${email} is being sent. It works once, until ${expiresAt}.`
            : `Send this link to ${email} only. It works once, until ${expiresAt}:\n\n${url}`
        )
      })
    )
  })
).pipe(
  Command.withDescription("Invite a person: print the one-time link, or send it by mail"),
  Command.withExamples([{ command: "parley members invite --org acme ann@acme.example --role agent" }])
)

const list = Command.make(
  "list",
  { org: Flags.org, ...pageFlags },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ members }) {
        const { isCut, rows } = yield* collect(limit, (page) => members.list({ query: queryOf(page) }))
        yield* printList(memberView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the members and the open invitations"), Command.withAlias("ls"))

const remove = Command.make(
  "remove",
  { org: Flags.org, member: memberArgument, yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ json, member, org, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        yield* confirm(`Remove ${member} from ${tenant.name}?`, yes)
        const { email, id } = yield* memberNamed(tenant, member)
        yield* tenant.members.remove({ params: { id } })
        yield* json ? printJson({ id, removed: true }) : Console.log(`Removed ${email}.`)
      })
    )
  })
).pipe(Command.withDescription("Remove a member, or revoke an invitation"))

const setRole = Command.make(
  "set-role",
  {
    org: Flags.org,
    member: memberArgument,
    role: Argument.Literals("role", Role.literals).pipe(Argument.withDescription("New role")),
    json: Flags.json
  },
  Effect.fn(function* ({ json, member, org, role }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { id } = yield* memberNamed(tenant, member)
        yield* printOne(memberView, { json }, yield* tenant.members.changeRole({ params: { id }, payload: { role } }))
      })
    )
  })
).pipe(
  Command.withDescription("Change the role of a member"),
  Command.withExamples([{ command: "parley members set-role --org acme ann@acme.example admin" }])
)

export const members = Command.make("members").pipe(
  Command.withSubcommands([add, invite, list, remove, setRole, availabilityCommand(memberArgument)])
)
