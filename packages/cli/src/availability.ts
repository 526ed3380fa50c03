import { Availability, type AvailabilityInput, AvailabilityStatus } from "@parley/domain"
import { wholeNumber } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { type Argument, Command, Flag } from "effect/cli"
import * as Flags from "./console/flags.ts"
import { printCard, type View } from "./console/print.ts"
import { typedFlag } from "./console/typed.ts"
import { memberNamed } from "./select.ts"
import { inTenant } from "./tenant/inTenant.ts"

const view: Pick<View<Availability>, "columns" | "schema"> = {
  schema: Availability,
  columns: [
    { heading: "STATUS", of: ({ status }) => status },
    { heading: "CAPACITY", of: ({ capacity }) => String(capacity), align: "right" }
  ]
}

/** Shows or says whether a member takes conversations that are handed out by themselves. */
export const availabilityCommand = (member: Argument.Argument<string>) =>
  Command.make(
    "availability",
    {
      org: Flags.org,
      member,
      status: Flag.Literals("status", AvailabilityStatus.literals).pipe(
        Flag.withDescription("Whether the member takes conversations"),
        Flag.optional
      ),
      capacity: typedFlag("capacity", wholeNumber(1, 1_000)).pipe(
        Flag.withMetavar("integer"),
        Flag.withDescription("With so many open conversations the member gets no more"),
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
    Command.withDescription("Show or say whether a member takes conversations that automations hand out"),
    Command.withExamples([{ command: "parley member availability --org acme ann@acme.example --status away" }])
  )
