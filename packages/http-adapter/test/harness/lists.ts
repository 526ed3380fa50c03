import {
  Automations,
  type AutomationId,
  Members,
  type MemberId,
  Outbox,
  type Ports,
  record,
  transact
} from "@parley/domain"
import { Effect } from "effect"
import { type Endpoint, endpoints, reachable } from "./contract.ts"
import { freshId, givenAutomation, givenAutomationToken, givenInvitation, inside, type Tenant } from "./tenants.ts"

/** A list of the contract, and how a test fills it. */
export interface ListUnderTest {
  readonly endpoint: Endpoint
  /** The parameter that goes on where a page ended. */
  readonly cursor: "cursor" | "after"
  /** Adds a row. */
  readonly add: (tenant: Tenant) => Effect.Effect<unknown, never, Ports>
  /** Takes a row away, where rows can go. */
  readonly remove?: (tenant: Tenant, id: string) => Effect.Effect<void, never, Ports>
}

const isPage = ({ contract }: Endpoint) =>
  Array.from(contract.success).some(
    (success) =>
      "ast" in success &&
      Array.from(reachable(success.ast)).some(
        (node) =>
          "propertySignatures" in node &&
          Array.isArray(node.propertySignatures) &&
          node.propertySignatures.some(({ name }: { readonly name: PropertyKey }) => name === "nextCursor")
      )
  )

/** Every endpoint that answers a page. */
export const pages = endpoints.filter(isPage)

const contents: Readonly<Record<string, Omit<ListUnderTest, "endpoint">>> = {
  "tokens.list": { cursor: "cursor", add: (tenant) => givenAutomationToken(tenant) },
  "members.list": {
    cursor: "cursor",
    add: ({ organization }) => givenInvitation(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Members, (members) => transact(members.remove(id as MemberId))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "automations.list": {
    cursor: "cursor",
    add: ({ organization }) => givenAutomation(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Automations, (automations) => transact(automations.remove(id as AutomationId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "events.list": {
    cursor: "after",
    add: ({ organization }) =>
      Effect.flatMap(Outbox, (outbox) =>
        transact(outbox.append({ type: "organization.updated", organizationId: organization.id }))
      ).pipe(inside(organization))
  },
  "audit.list": {
    cursor: "cursor",
    add: ({ organization }) =>
      Effect.flatMap(freshId, (id) => transact(record("automation.updated", { kind: "automation", id }))).pipe(
        inside(organization)
      )
  }
}

/** Every list of the contract; one that no test can fill is missing here, and a test says so. */
export const lists: ReadonlyArray<ListUnderTest> = pages.flatMap((endpoint) => {
  const content = contents[endpoint.id]
  return content === undefined ? [] : [{ endpoint, ...content }]
})

/** The name of a list in the title of a test. */
export const named = lists.map((list) => ({ ...list, id: list.endpoint.id }))
