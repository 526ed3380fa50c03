import { CurrentActor, CurrentOrganization, type ValidationIssue } from "@parley/domain/kernel"
import { issuesOfMalformedDefinition } from "@parley/domain/automation"
import { Context, Effect, Option, Predicate } from "effect"

type Services = Exclude<
  Effect.Services<ReturnType<typeof issuesOfMalformedDefinition>>,
  CurrentActor | CurrentOrganization
>

/** Finds the issues of a body beyond its schema, in its parts that the schema accepts. */
type FindIssues = (
  body: unknown
) => Effect.Effect<ReadonlyArray<ValidationIssue>, never, Services | CurrentActor | CurrentOrganization>

const definition: FindIssues = (body) => issuesOfMalformedDefinition(body, "")

const draft: FindIssues = (body) =>
  Predicate.hasProperty(body, "draft") ? issuesOfMalformedDefinition(body.draft, "/draft") : Effect.succeed([])

/** Endpoints with rules beyond the schema of their body, by group and name. */
const finders: ReadonlyMap<string, FindIssues> = new Map([
  ["automations.create", definition],
  ["automations.update", definition],
  ["automations.test", draft]
])

const none: ReadonlyArray<ValidationIssue> = []

/** Finds the further issues of a body that the schema of its endpoint rejects. */
export const makeFurtherIssues = Effect.contextWith((ports: Context.Context<Services>) =>
  Effect.succeed((endpoint: string, body: unknown) =>
    Effect.contextWith((request: Context.Context<never>) => {
      const find = finders.get(endpoint)
      const actor = Context.getOption(request, CurrentActor)
      const organization = Context.getOption(request, CurrentOrganization)
      if (find === undefined || Option.isNone(actor) || Option.isNone(organization)) return Effect.succeed(none)
      return find(body).pipe(
        Effect.provideService(CurrentActor, actor.value),
        Effect.provideService(CurrentOrganization, organization.value),
        Effect.provide(ports)
      )
    })
  )
)
