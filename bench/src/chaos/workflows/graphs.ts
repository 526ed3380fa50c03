import { type Graph, NodeId, type SplitNode, type TagId, type WorkflowId, type WorkflowNode } from "@parley/domain"

const id = (name: string) => NodeId.make(name)

/** Goes by in a second here. */
const minute = 60

const note = (name: string, text: string, next: string): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "add_note", text },
  next: id(next)
})

const message = (name: string, text: string, next: string): WorkflowNode => ({
  id: id(name),
  kind: "action",
  action: { type: "send_message", message: { kind: "text", text } },
  next: id(next)
})

const end = (name: string): WorkflowNode => ({ id: id(name), kind: "end" })

/** Half of all get a message, the other half a note. */
export const half: SplitNode = {
  id: id("half"),
  kind: "split",
  paths: [
    { percent: 50, next: id("greet") },
    { percent: 50, next: id("remark") }
  ]
}

/** Each new contact gets a tag, waits, and gets a message or a note. */
export const welcoming = (welcomed: TagId): Graph => ({
  entry: { event: { event: "contact.created" }, next: id("tag") },
  nodes: [
    { id: id("tag"), kind: "action", action: { type: "tag", tagIds: [welcomed] }, next: id("rest") },
    { id: id("rest"), kind: "wait", seconds: minute, next: id("half") },
    half,
    message("greet", "Welcome", "end"),
    note("remark", "welcome {{ event.position }}", "end"),
    end("end")
  ]
})

/** A workflow that only other workflows start: it writes a note, waits, and writes another one. */
export const called: Graph = {
  entry: { event: null, next: id("first") },
  nodes: [
    note("first", "called", "rest"),
    { id: id("rest"), kind: "wait", seconds: 2 * minute, next: id("second") },
    note("second", "called again", "end"),
    end("end")
  ]
}

/** Criteria of the contact care workflow. */
export interface Care {
  readonly start: TagId
  readonly bought: TagId
  readonly gone: TagId
  readonly calledId: WorkflowId
}

/** Names of the nodes of a version. They differ in each version, which shows the version in use. */
export const nodesOf = (version: number) => ({
  begin: `begin-${version}`,
  rest: `rest-${version}`,
  answer: `answer-${version}`,
  thank: `thank-${version}`,
  call: `call-${version}`,
  silent: `silent-${version}`,
  end: `end-${version}`
})

/**
 * A contact with the tag gets a note, waits, and is awaited: an answer leads to a message and another workflow, no answer to a note. A purchase is
 * the goal, and another tag the exit.
 */
export const caring = (version: number, { bought, calledId, gone, start }: Care): Graph => {
  const at = nodesOf(version)
  return {
    entry: { event: { event: "contact.tagged", tagIds: [start] }, next: id(at.begin) },
    goals: [{ id: id("bought"), event: { event: "contact.tagged", tagIds: [bought] } }],
    exits: [{ id: id("gone"), if: { field: "tag", op: "any_of", value: [gone] } }],
    nodes: [
      note(at.begin, `begin ${version} {{ event.position }}`, at.rest),
      { id: id(at.rest), kind: "wait", seconds: minute, next: id(at.answer) },
      {
        id: id(at.answer),
        kind: "wait_for",
        event: { event: "message.received" },
        timeoutSeconds: 3 * minute,
        next: id(at.thank),
        timeout: id(at.silent)
      },
      message(at.thank, `thank ${version} {{ event.position }}`, at.call),
      {
        id: id(at.call),
        kind: "action",
        action: { type: "start_workflow", workflowId: calledId },
        onError: "continue",
        next: id(at.end)
      },
      note(at.silent, `silent ${version} {{ event.position }}`, at.end),
      end(at.end)
    ]
  }
}
