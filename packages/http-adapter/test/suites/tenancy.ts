import { assert } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, type Permission, transact } from "@parley/domain/kernel"
import { rotateTriggerUrl } from "@parley/domain/automation"
import { recordAudit } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import {
  givenCommerce,
  givenPluginCall,
  givenPrivacyRequest,
  givenStore,
  givenSubscription,
  givenActiveWorkflow,
  givenAutomationRun,
  givenWorkflowRun,
  givenWebhookDelivery,
  putPlugin
} from "@parley/testkit"
import { Effect, type Layer } from "effect"
import { withoutRequest } from "../harness/answers.ts"
import { givenBroadcast, givenSnapshot } from "../harness/campaigns.ts"
import { type Endpoint, endpoints, type Field, isWebhook, reachable, requestFields } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import {
  givenConversation,
  givenEndpoint,
  givenFile,
  givenMessage,
  givenNoteOf,
  givenNumber,
  givenReply,
  givenTemplate
} from "../harness/inbox.ts"
import { namedByAutomations } from "../harness/definitions.ts"
import { lists } from "../harness/lists.ts"
import { pathWith, validRequest, type ValidRequest, type World } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomation,
  givenAutomationToken,
  givenContact,
  givenContactField,
  givenImport,
  givenJob,
  givenMerge,
  givenPerson,
  givenSchedule,
  givenSegment,
  givenTag,
  givenTenant,
  givenWorkflow,
  inside,
  type Tenant
} from "../harness/tenants.ts"
import { withQuery } from "../harness/withQuery.ts"

/** A field that names something which belongs to a tenant, or may do so. */
interface Place {
  readonly endpoint: Endpoint
  readonly field: Field
  readonly id: string
}

const isUuid = ({ node }: Field) =>
  Array.from(reachable(node)).some((inner) => "format" in inner && inner.format === "uuid")

/** A value with other fields is no reference itself. */
const isLeaf = ({ node }: Field) => Array.from(reachable(node)).every((inner) => !("propertySignatures" in inner))

/** Providers assign these ids, and any organization can use each of them. */
const providerIds: ReadonlySet<string> = new Set([
  "appId",
  "catalogId",
  "flowId",
  "messagingAccountId",
  "metaAppId",
  "productId",
  "productIds",
  "referenceId",
  "retailerId",
  "thumbnailProductId",
  "waId"
])

const isOfProvider = ({ name }: Field) => name.startsWith("external") || providerIds.has(name)

const isReference = (field: Field) =>
  isLeaf(field) && !isOfProvider(field) && (isUuid(field) || /(?:^id|Ids?|^cursor|^after)$/.test(field.name))

/** A path value that is not a generated id. */
const isNatural = (id: string) =>
  ["automationTriggers.trigger path token", "contacts.upsertByPhone path phone"].includes(id) ||
  /^storeWebhooks\.\w+ path provider$/.test(id) ||
  /^operatorRateCards\.\w+ path (?:currency|validFrom)$/.test(id)

const isNoPlace = ({ endpoint, id }: Place) =>
  // No organization has these resources.
  endpoint.admission === "operator" ||
  // A log position of the caller; every organization has each position.
  id === "webhookSubscriptions.replay body after" ||
  // Drafts are stored unchanged, and can reference missing resources.
  /^workflows\.(?:create|update) body /.test(id) ||
  // No automation answers a single message, and no workflow can be started, so every id is an error here.
  /^automations\.\w+ body (?:replyToId|workflowId)$/.test(id)

const found: ReadonlyArray<Place> = endpoints.flatMap((endpoint) =>
  requestFields(endpoint)
    .filter(isReference)
    .map((field) => ({ endpoint, field, id: `${endpoint.id} ${field.slot} ${field.name}` }))
    .filter((place) => !isNoPlace(place))
)

/** Each of them once: a field of several kinds of actions is one place. */
const places: ReadonlyArray<Place> = [...new Map(found.map((place) => [place.id, place])).values()]

type Maker = (tenant: Tenant) => Effect.Effect<string, never, Ports>

const inTheTrail = Effect.fnUntraced(function* ({ organization, owner }: Tenant) {
  const id = yield* freshId
  const { sessionId, user } = owner
  yield* transact(recordAudit("automation.updated", { kind: "automation", id })).pipe(
    Effect.provideService(CurrentActor, {
      kind: "user",
      userId: user.id,
      sessionId,
      role: "owner",
      permissions: new Set<Permission>()
    }),
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
  return { actorId: user.id, targetId: id }
})

const message = Effect.fnUntraced(function* ({ organization }: Tenant) {
  return (yield* givenMessage(organization, yield* givenConversation(organization))).id
})

/** Creates resources that a field can reference, by the area and the name of the field. */
const makers: Readonly<Record<string, Maker>> = {
  "tokens id": (tenant) => Effect.map(givenAutomationToken(tenant), ({ automationToken }) => automationToken.id),
  "members id": ({ organization }) => Effect.map(givenPerson(organization), ({ member }) => member.id),
  "schedules id": ({ organization }) => Effect.map(givenSchedule(organization), ({ id }) => id),
  "workflows runId": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenActiveWorkflow(organization)
      return (yield* givenWorkflowRun(organization, id)).id
    }),
  "automations contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "workflows contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "workflows id": ({ organization }) => Effect.map(givenWorkflow(organization), ({ id }) => id),
  "automations runId": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(organization)
      return (yield* givenAutomationRun(organization, id)).id
    }),
  "automationTriggers id": ({ organization }) => Effect.map(givenAutomation(organization), ({ id }) => id),
  "automations id": ({ organization }) => Effect.map(givenAutomation(organization), ({ id }) => id),
  "broadcasts id": ({ organization }) => Effect.map(givenBroadcast(organization), ({ id }) => id),
  "broadcasts broadcastId": ({ organization }) => Effect.map(givenBroadcast(organization), ({ id }) => id),
  "broadcasts contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "broadcasts audienceSnapshotId": ({ organization }) => givenSnapshot(organization),
  "broadcasts chatAccountId": ({ organization }) => Effect.map(givenNumber(organization), ({ id }) => id),
  "broadcasts templateId": ({ organization }) => Effect.map(givenTemplate(organization), ({ id }) => id),
  "storeConnections id": ({ organization }) => Effect.map(givenStore(organization), ({ id }) => id),
  "webhookSubscriptions id": ({ organization }) => Effect.map(givenSubscription(organization), ({ id }) => id),
  "webhookSubscriptions deliveryId": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenSubscription(organization)
      return (yield* givenWebhookDelivery(organization, id)).id
    }),
  "pluginCalls id": ({ organization }) => Effect.map(givenPluginCall(organization), ({ id }) => id),
  "plugins id": ({ organization }) => Effect.map(putPlugin(organization), ({ id }) => id),
  "plugins runId": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenAutomation(organization)
      return (yield* givenAutomationRun(organization, id)).id
    }),
  "privacyRequests id": ({ organization }) => Effect.map(givenPrivacyRequest(organization), ({ id }) => id),
  "commerce storeConnectionId": ({ organization }) => Effect.map(givenStore(organization), ({ id }) => id),
  "commerce contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "contacts id": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "contacts ids": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "contacts contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "contacts otherId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "contacts mergeId": ({ organization }) => Effect.map(givenMerge(organization), ({ mergeId }) => mergeId),
  "contacts segment": ({ organization }) => Effect.map(givenSegment(organization), ({ id }) => id),
  "contacts tag": ({ organization }) => Effect.map(givenTag(organization), ({ id }) => id),
  "contacts tags": ({ organization }) => Effect.map(givenTag(organization), ({ id }) => id),
  "contactTransfer id": ({ organization }) => Effect.map(givenImport(organization), ({ id }) => id),
  "contactTransfer segment": ({ organization }) => Effect.map(givenSegment(organization), ({ id }) => id),
  "contactTransfer tag": ({ organization }) => Effect.map(givenTag(organization), ({ id }) => id),
  "tags id": ({ organization }) => Effect.map(givenTag(organization), ({ id }) => id),
  "tags into": ({ organization }) => Effect.map(givenTag(organization), ({ id }) => id),
  "contactFields id": ({ organization }) => Effect.map(givenContactField(organization), ({ id }) => id),
  "segments id": ({ organization }) => Effect.map(givenSegment(organization), ({ id }) => id),
  "chatAccounts id": ({ organization }) => Effect.map(givenNumber(organization), ({ id }) => id),
  "messageTemplates id": ({ organization }) => Effect.map(givenTemplate(organization), ({ id }) => id),
  "messageTemplates chatAccountId": ({ organization }) => Effect.map(givenNumber(organization), ({ id }) => id),
  "conversations id": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "conversations ids": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "conversations assignee": ({ owner }) => Effect.succeed(owner.user.id),
  "conversations assigneeId": ({ owner }) => Effect.succeed(owner.user.id),
  "conversations chatAccountId": ({ organization }) => Effect.map(givenNumber(organization), ({ id }) => id),
  "analytics chatAccountId": ({ organization }) => Effect.map(givenNumber(organization), ({ id }) => id),
  "conversations contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "messages contactId": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "messages conversationId": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "messages id": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "messages messageId": (tenant) => message(tenant),
  "messages replyToId": (tenant) => message(tenant),
  "messages mediaId": ({ organization }) => Effect.map(givenFile(organization), ({ id }) => id),
  "messageTemplates mediaId": ({ organization }) => Effect.map(givenFile(organization), ({ id }) => id),
  "notes id": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "notes noteId": ({ organization, owner }) =>
    Effect.gen(function* () {
      return (yield* givenNoteOf(organization, yield* givenConversation(organization), owner)).id
    }),
  "notes mentions": ({ owner }) => Effect.succeed(owner.user.id),
  "cannedReplies id": ({ organization }) => Effect.map(givenReply(organization), ({ id }) => id),
  "media id": ({ organization }) => Effect.map(givenFile(organization), ({ id }) => id),
  "chatWebhooks organization_id": ({ organization }) => Effect.succeed(organization.id),
  "chatWebhooks chat_account_id": ({ organization }) => Effect.map(givenEndpoint(organization), ({ id }) => id),
  "jobs id": ({ organization }) => Effect.map(givenJob(organization), ({ id }) => id),
  "sessions organizationId": ({ organization }) => Effect.succeed(organization.id),
  "audit actorId": (tenant) => Effect.map(inTheTrail(tenant), ({ actorId }) => actorId),
  "audit targetId": (tenant) => Effect.map(inTheTrail(tenant), ({ targetId }) => targetId)
}

const withTriggerUrl: Maker = ({ organization }) =>
  Effect.gen(function* () {
    const { id } = yield* givenAutomation(organization)
    yield* rotateTriggerUrl({ id }).pipe(inside(organization), Effect.orDie)
    return id
  })

/** Places where one name has different meanings. */
const ofPlace: Readonly<Record<string, Maker>> = {
  "automations.getTriggerUrl path id": withTriggerUrl,
  "automations.deleteTriggerUrl path id": withTriggerUrl,
  "automationTriggers.trigger body id": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "commerce.getOrder path id": ({ organization }) => Effect.map(givenCommerce(organization), ({ order: { id } }) => id),
  "commerce.getCart path id": ({ organization }) => Effect.map(givenCommerce(organization), ({ cart: { id } }) => id),
  "commerce.getCustomer path id": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ customer: { id } }) => id),
  "commerce.linkCustomer path id": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ customer: { id } }) => id),
  "commerce.getProduct path id": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ product: { id } }) => id),
  "commerce.ofContact path id": ({ organization }) => Effect.map(givenContact(organization), ({ id }) => id),
  "commerce.ofConversation path id": ({ organization }) => Effect.map(givenConversation(organization), ({ id }) => id),
  "messages.send body id": ({ organization }) => Effect.map(givenTemplate(organization), ({ id }) => id)
}

const namingOf = ({ endpoint, field }: Place) =>
  field.slot === "body" && endpoint.id.startsWith("automations.") ? namedByAutomations[field.name] : undefined

const makerOf = (place: Place) => {
  const { endpoint, field, id } = place
  return namingOf(place)?.make ?? ofPlace[id] ?? makers[`${endpoint.id.split(".")[0]} ${field.name}`]
}

const withSample = (body: object) => ({
  ...body,
  components: { header: { format: "image", mediaId: "" }, body: { text: "Your order is here." } }
})

/** Unusual bodies for fields that the usual ones do not have. */
const bodies: Readonly<Record<string, (usual: object) => object>> = {
  "automations.cancelRuns body contactId": (usual) => ({ ...usual, filter: { contactId: "" } }),
  "workflows.cancelRuns body contactId": (usual) => ({ ...usual, filter: { contactId: "" } }),
  "automations.test body contactId": () => ({
    due: { contactId: "" },
    draft: {
      when: {
        event: "schedule.reached",
        cron: "0 9 * * *",
        timezone: "UTC",
        audience: { field: "name", op: "is", value: "Ada" }
      },
      if: { field: "name", op: "is", value: "Ada" },
      then: [{ type: "set_name", name: "Ada" }]
    }
  }),
  "automations.rerunRuns body contactId": (usual) => ({ ...usual, filter: { contactId: "" } }),
  "workflows.rerunRuns body contactId": (usual) => ({ ...usual, filter: { contactId: "" } }),
  "conversations.bulk body assigneeId": (usual) => ({ ...usual, action: { type: "assign", assigneeId: "" } }),
  "messageTemplates.create body mediaId": withSample,
  "messageTemplates.edit body mediaId": withSample,
  "messageTemplates.update body mediaId": withSample,
  "messages.send body id": () => ({ kind: "template", template: { id: "" } }),
  "messages.send body mediaId": () => ({ kind: "document", mediaId: "" })
}

const isCursor = ({ field }: Place) => field.name === "cursor" || field.name === "after"

/** The body with the value in the field, at any depth; as a single entry if the field has several values. */
const placed = (body: unknown, name: string, value: string): unknown => {
  if (Array.isArray(body)) return body.map((inner) => placed(inner, name, value))
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, inner]) => [
      key,
      key !== name ? placed(inner, name, value) : Array.isArray(inner) ? [value] : value
    ])
  )
}

const withValue = (request: ValidRequest, place: Place, value: string): ValidRequest => {
  const { endpoint, field, id } = place
  const [path = "", search = ""] = request.path.split("?")
  if (field.slot === "path") {
    const other = pathWith(endpoint, { ...request.params, [field.name]: value })
    return { ...request, path: `${other}${search && `?${search}`}` }
  }
  if (field.slot === "query") {
    const query = new URLSearchParams(search)
    query.set(field.name, value)
    return { ...request, path: withQuery(path, `${query}`) }
  }
  if (field.slot === "headers") return { ...request, headers: { ...request.headers, [field.name]: value } }
  const given = typeof request.body === "object" && request.body !== null ? request.body : {}
  const naming = namingOf(place)
  const named = (naming?.definition ?? {}) as object
  const defined = endpoint.id === "automations.test" ? { ...given, draft: named } : { ...given, ...named }
  const body = naming === undefined ? (bodies[id]?.(given) ?? given) : defined
  const there = JSON.stringify(body).includes(`"${field.name}":`)
  return { ...request, body: there ? placed(body, field.name, value) : { ...body, [field.name]: value } }
}

const send = ({ method }: Endpoint, { path, ...what }: ValidRequest) => call(method, path, what)

/** A part of another resource that is in no other own resource either: a merge, a message, a note. */
const isPartOfAnother = ({ endpoint, id }: Place) =>
  id === "contacts.unmerge body mergeId" ||
  /^messages\.send body (?:id|replyToId)$/.test(id) ||
  // The token belongs to one automation.
  id === "automationTriggers.trigger path id" ||
  /:id\b.*:\w+Id\b/.test(endpoint.path)

/** Fields with an id that the endpoint does not look up. */
const withoutLookup: ReadonlySet<string> = new Set([
  // Filters of lists, which are empty for contacts without runs and runs without calls.
  "automations.listRuns query contactId",
  "workflows.listRuns query contactId",
  "plugins.listCalls query runId",
  // A preview reads no file.
  "messageTemplates.previewContent body mediaId"
])

/** The answer without the caller's own input. */
const without = (answer: Answer, value: string) => {
  const { headers, status, text } = withoutRequest(answer)
  return { headers, status, text: text.replaceAll(value, "") }
}

const byId = <A extends { readonly id: string }>(one: A, other: A) => (one.id < other.id ? -1 : 1)

/** Looks at everything that there is of a tenant, to see whether it changes. */
export type Sight<Provides> = (tenant: Tenant) => Effect.Effect<unknown, never, World | Provides>

/** Changes in one organization are invisible in another. */
export const strangersSuite = <Provides, E>(
  name: string,
  ports: Layer.Layer<Ports | Provides, E>,
  sight: Sight<NoInfer<Provides>>
) =>
  overHttp<Provides, E>(name, ports, (it) => {
    it.effect("changes of one tenant are in no list of another", () =>
      Effect.gen(function* () {
        const ours = yield* givenTenant()
        const theirs = yield* givenTenant()
        const before = yield* sight(ours)
        for (const endpoint of endpoints.filter(({ method }) => method !== "GET")) {
          const person = yield* givenPerson(theirs.organization, "owner")
          yield* send(endpoint, yield* validRequest(endpoint, { tenant: theirs, person }))
        }
        assert.deepStrictEqual(yield* sight(ours), before)
      })
    )
  })

/**
 * No call reads or changes what belongs to another tenant, or learns that it is there. It runs where it can see every row that
 * there is of a tenant; in memory it would see less, of what only tests keep there.
 */
export const tenancySuite = <Provides, E>(
  name: string,
  ports: Layer.Layer<Ports | Provides, E>,
  sight: Sight<NoInfer<Provides>>
) =>
  overHttp<Provides, E>(name, ports, (it) => {
    it("everything in the contract that names something can be made in another tenant", () => {
      assert.isNotEmpty(places)
      assert.isEmpty(
        places.filter((place) => !isCursor(place) && makerOf(place) === undefined).map(({ id }) => id),
        "Add a resource of another tenant to `makers` in suites/tenancy.ts."
      )
      const listed = new Set(lists.map(({ endpoint }) => endpoint.id))
      assert.isEmpty(
        places.filter((place) => isCursor(place) && !listed.has(place.endpoint.id)).map(({ id }) => id),
        "Add the list to harness/lists.ts."
      )
      const inPaths = endpoints.flatMap(({ id, path }) =>
        Array.from(path.matchAll(/:(\w+)/g), ([, name]) => `${id} path ${name}`)
      )
      assert.deepStrictEqual(
        places
          .filter(({ field }) => field.slot === "path")
          .toSorted(byId)
          .map(({ id }) => id),
        inPaths.filter((id) => !isNatural(id)).toSorted()
      )
    })

    it.effect.each(places.filter((place) => !isCursor(place)))(
      "$id of another tenant is answered like a missing resource",
      (place) =>
        Effect.gen(function* () {
          const ours = yield* givenTenant()
          const theirs = yield* givenTenant()
          const foreign = yield* makerOf(place)?.(theirs) ?? Effect.die(new Error(`Nothing makes ${place.id}.`))
          const before = yield* sight(theirs)
          const request = yield* validRequest(place.endpoint, { tenant: ours, person: ours.owner })
          const reached = yield* send(place.endpoint, withValue(request, place, foreign))
          const unknown = yield* freshId
          const missing = yield* send(place.endpoint, withValue(request, place, unknown))
          assert.deepStrictEqual(without(reached, foreign), without(missing, unknown))
          if (place.field.slot === "path" && !isWebhook(place.endpoint)) {
            assert.deepStrictEqual([reached.status, reached.body.code], [404, "not_found"])
          }
          assert.deepStrictEqual(yield* sight(theirs), before)
          if (withoutLookup.has(place.id)) return

          const own = yield* makerOf(place)?.(ours) ?? Effect.die(new Error(`Nothing makes ${place.id}.`))
          const found = yield* send(place.endpoint, isPartOfAnother(place) ? request : withValue(request, place, own))
          assert.notDeepEqual(without(found, own), without(missing, unknown), "An id of one's own is not found either.")
        })
    )

    it.effect.each(places.filter(isCursor))(
      "$id of another tenant is answered like an id that never existed",
      (place) =>
        Effect.gen(function* () {
          const ours = yield* givenTenant()
          const theirs = yield* givenTenant()
          const list = lists.find(({ endpoint }) => endpoint.id === place.endpoint.id)
          if (list === undefined) return assert.fail(`Nothing fills ${place.id}.`)
          for (const tenant of [ours, theirs]) {
            yield* list.add(tenant)
            yield* list.add(tenant)
          }
          const firstPage = (tenant: Tenant) =>
            Effect.flatMap(list.path(tenant), (path) =>
              call("GET", withQuery(path, "limit=1"), {
                token: tenant.owner.token,
                organization: tenant.organization.id
              })
            )
          const foreign = String((yield* firstPage(theirs)).body.nextCursor)
          const request = yield* validRequest(place.endpoint, { tenant: ours, person: ours.owner })
          const reached = yield* send(place.endpoint, withValue(request, place, foreign))
          const missing = yield* send(place.endpoint, withValue(request, place, "A".repeat(foreign.length)))
          assert.deepStrictEqual(withoutRequest(reached), withoutRequest(missing))
          assert.deepStrictEqual([reached.status, reached.body.code], [400, "cursor_invalid"])
        })
    )

    it.effect.each(
      endpoints.filter(({ admission }) => admission === "organization" || admission === "only organization")
    )("$id in another tenant is answered like in a missing one", (endpoint) =>
      Effect.gen(function* () {
        const ours = yield* givenTenant()
        const theirs = yield* givenTenant()
        const valid = yield* validRequest(endpoint, { tenant: theirs, person: ours.owner })
        // A request of a plugin has the token of a plugin there.
        const request = { ...valid, token: ours.owner.token }
        const before = yield* sight(theirs)
        const reached = yield* send(endpoint, { ...request, organization: theirs.organization.id })
        const missing = yield* send(endpoint, { ...request, organization: yield* freshId })
        assert.deepStrictEqual(withoutRequest(reached), withoutRequest(missing))
        assert.deepStrictEqual([reached.status, reached.body.code], [403, "organization_forbidden"])
        assert.deepStrictEqual(yield* sight(theirs), before)
      })
    )
  })
