import { CurrentOrganization, PlanName, transact } from "@parley/domain/kernel"
import {
  addMember,
  createOrganization,
  getOrganization,
  SingleLineText,
  NewOrganization,
  Organization,
  OrganizationDirectory,
  setOrganizationPlan,
  setOrganizationStatus,
  Slug
} from "@parley/domain/platform"
import { WrongUsage } from "@parley/service/configuration"
import { DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collectAfter, pageFlags } from "../console/listing.ts"
import { printList, printOne, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inOrganization, userNamed } from "../tenant/selection.ts"
import { operate } from "../tenant/target.ts"

/** Suggests a slug for a name that has enough letters for one. */
export const slugOf = (name: string) =>
  Schema.decodeOption(Slug)(
    name
      .normalize("NFKD")
      .replace(/\p{Mn}+/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 63)
      .replace(/^-+|-+$/g, "")
  )

const view: View<Organization> = {
  schema: Organization,
  none: 'There are no organizations yet. Create one: parley orgs create "Acme"',
  columns: [
    { heading: "ID", of: (organization) => organization.id },
    { heading: "SLUG", of: (organization) => organization.slug },
    { heading: "NAME", of: (organization) => organization.name },
    { heading: "PLAN", of: (organization) => organization.plan },
    { heading: "STATUS", of: (organization) => organization.status },
    { heading: "CREATED", of: (organization) => DateTime.formatIso(organization.createdAt) }
  ]
}

const { timezone, locale, currency } = NewOrganization.fields

const create = Command.make(
  "create",
  {
    name: typedArgument("name", SingleLineText).pipe(Argument.withDescription("Display name")),
    slug: typedFlag("slug", Slug).pipe(
      Flag.withDescription("Name in commands and addresses (derived from the name)"),
      Flag.optional
    ),
    plan: Flag.Literals("plan", PlanName.literals).pipe(Flag.withDescription("Plan (free)"), Flag.withDefault("free")),
    timezone: typedFlag("timezone", timezone).pipe(
      Flag.withDescription("IANA time zone (UTC)"),
      Flag.withDefault("UTC")
    ),
    locale: typedFlag("locale", locale).pipe(Flag.withDescription("Language (en)"), Flag.withDefault("en")),
    currency: typedFlag("currency", currency).pipe(Flag.withDescription("Currency (EUR)"), Flag.withDefault("EUR")),
    owner: Flag.String("owner").pipe(
      Flag.withDescription("E-mail address or id of the user who becomes the owner"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, owner, quiet, slug, ...input }) {
    const chosen = Option.orElse(slug, () => slugOf(input.name))
    if (Option.isNone(chosen)) {
      return yield* new WrongUsage({ message: "No slug can be derived from this name. Specify one with --slug." })
    }
    const { currency, locale, name, plan, timezone } = input
    yield* operate(
      Effect.gen(function* () {
        const created = yield* transact(
          Effect.gen(function* () {
            const organization = yield* createOrganization({
              name,
              plan,
              timezone,
              locale,
              currency,
              slug: chosen.value
            })
            if (Option.isSome(owner)) {
              const user = yield* userNamed(owner.value)
              yield* Effect.provideService(addMember({ userId: user.id, role: "owner" }), CurrentOrganization, {
                id: organization.id
              })
            }
            return organization
          })
        )
        yield* printOne(view, { json, quiet }, created)
      })
    )
  })
).pipe(
  Command.withDescription("Create an organization"),
  Command.withExamples([
    { command: 'parley orgs create "Acme" --plan growth', description: "On the growth plan" },
    {
      command: 'parley orgs create "Acme" --slug acme-eu --timezone Europe/Berlin --locale de --owner ann@acme.example',
      description: "With settings, and an existing user as the owner"
    }
  ])
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    yield* operate(
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        const { isCut, rows } = yield* collectAfter(limit, (count, last: Organization | null) =>
          directory.list({ limit: count, after: last === null ? null : [last.id] })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the organizations, oldest first"), Command.withAlias("ls"))

const show = Command.make(
  "show",
  { organization: Flags.organization, json: Flags.json },
  Effect.fn(function* ({ json, organization }) {
    yield* operate(
      inOrganization(
        organization,
        Effect.flatMap(getOrganization(), (found) => printOne(view, { json }, found))
      )
    )
  })
).pipe(Command.withDescription("Show one organization"))

const suspend = Command.make(
  "suspend",
  { organization: Flags.organization, yes: Flags.yes, json: Flags.json },
  Effect.fn(function* ({ json, organization, yes }) {
    yield* confirm(`Suspend ${organization}? All its calls are refused until it is resumed.`, yes)
    yield* operate(
      inOrganization(
        organization,
        Effect.flatMap(setOrganizationStatus({ status: "suspended" }), (changed) => printOne(view, { json }, changed))
      )
    )
  })
).pipe(
  Command.withDescription("Suspend an organization. Within a second, every process refuses its calls"),
  Command.withExamples([{ command: "parley orgs suspend acme --yes" }])
)

const resume = Command.make(
  "resume",
  { organization: Flags.organization, json: Flags.json },
  Effect.fn(function* ({ json, organization }) {
    yield* operate(
      inOrganization(
        organization,
        Effect.flatMap(setOrganizationStatus({ status: "active" }), (changed) => printOne(view, { json }, changed))
      )
    )
  })
).pipe(Command.withDescription("Resume a suspended organization"))

const setPlan = Command.make(
  "set-plan",
  {
    organization: Flags.organization,
    plan: Argument.Literals("plan", PlanName.literals).pipe(Argument.withDescription("New plan")),
    json: Flags.json
  },
  Effect.fn(function* ({ json, organization, plan }) {
    yield* operate(
      inOrganization(
        organization,
        Effect.flatMap(setOrganizationPlan({ plan }), (changed) => printOne(view, { json }, changed))
      )
    )
  })
).pipe(
  Command.withDescription("Change the plan of an organization"),
  Command.withExamples([{ command: "parley orgs set-plan acme scale" }])
)

export const orgs = Command.make("orgs").pipe(Command.withSubcommands([create, list, show, suspend, resume, setPlan]))
