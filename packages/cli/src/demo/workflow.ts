import type { Organization } from "@parley/domain/platform"
import { createTag, type TagId } from "@parley/domain/crm"
import { listMessageTemplates, type MessageTemplateId } from "@parley/domain/messaging"
import { createWorkflow, type Graph, listWorkflows, NodeId, publishWorkflow } from "@parley/domain/automation"
import { Console, Effect } from "effect"
import { invocations } from "../console/invocations.ts"
import { asMember } from "../tenant/selection.ts"
import { type DemoLine, inDemo, reminder } from "./provider.ts"
import { demoBuyer, domain } from "./store.ts"
import { demoTenants } from "./tenants.ts"

const [
  {
    users: [{ email: owner }]
  }
] = demoTenants

const name = "Abandoned cart"

const id = (node: string) => NodeId.make(node)

/** Graph of the demo: a contact with an abandoned cart gets a reminder. An answer adds a tag, and an order reaches the goal. */
const graphOf = (templateId: MessageTemplateId, tagId: TagId): Graph => ({
  entry: { event: { event: "cart.abandoned", seconds: 900 }, by: "cart", next: id("rest") },
  goals: [{ id: id("ordered"), event: { event: "order.created" } }],
  nodes: [
    { id: id("rest"), kind: "wait", seconds: 60, next: id("remind") },
    {
      id: id("remind"),
      kind: "action",
      action: {
        type: "send_template",
        template: {
          id: templateId,
          values: { "body.1": "{{ contact.firstName | default: 'there' }}", "body.2": "{{ cart.total }}" }
        }
      },
      next: id("answer")
    },
    {
      id: id("answer"),
      kind: "wait_for",
      event: { event: "message.received" },
      timeoutSeconds: 86_400,
      next: id("tag"),
      timeout: id("end")
    },
    { id: id("tag"), kind: "action", action: { type: "tag", tagIds: [tagId] }, next: id("linger") },
    { id: id("linger"), kind: "wait", seconds: 86_400, next: id("end") },
    { id: id("end"), kind: "end" }
  ]
})

const publish = Effect.fnUntraced(function* ({ account }: DemoLine) {
  const { data } = yield* listMessageTemplates({
    chatAccountId: account.id,
    status: "approved",
    name: reminder.name,
    page: { limit: 1, cursor: null }
  })
  const [template] = data
  if (template === undefined) return
  const tag = yield* createTag({ name: "Wants the cart" })
  const { id: workflowId } = yield* createWorkflow({ name, graph: graphOf(template.id, tag.id) })
  yield* publishWorkflow({ id: workflowId, ifVersion: null })
})

/** Publishes the workflow once. A changed or archived workflow stays as it is. */
const ensureWorkflow = (line: DemoLine) => (organization: Organization) =>
  Effect.gen(function* () {
    const { data } = yield* listWorkflows({ page: { limit: 100, cursor: null } })
    if (!data.some((workflow) => workflow.name === name)) yield* publish(line)
  }).pipe((ensured) => asMember(organization, owner, ensured))

const leaves = (store: string) =>
  `curl -s ${store}/simulator/act -H 'content-type: application/json' -d '${JSON.stringify({
    kind: "begin_checkout",
    shop: domain,
    phone: demoBuyer.phone,
    ago: 1_200
  })}'`

/** Publishes the workflow of the demo, and prints how to try it. The service runs even if this fails. */
export const openDemoWorkflow = (line: DemoLine, store: string) =>
  inDemo(ensureWorkflow(line)).pipe(
    Effect.andThen(invocations),
    Effect.flatMap((invocation) =>
      Console.log(
        `A workflow reminds customers who abandon a cart. Simulate a cart that Ana abandoned twenty minutes ago, and watch the run:\n  ${leaves(store)}\n  ${invocation("workflows list")}\n`
      )
    ),
    Effect.catchCause((cause) => Effect.logWarning("The workflow of the demo is not available", cause))
  )
