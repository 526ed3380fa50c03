// Calls at a constant rate, and readers of the event feed, through a proxy on this machine.
import { Agent, request } from "node:https"
import { sleep } from "../../.ci/checks.mjs"

const callMillis = 20_000

const call = ({ agent, headers, port }, method, path, body) =>
  new Promise((resolve) => {
    const options = { agent, headers, host: "localhost", method, path, port, rejectUnauthorized: false }
    const sent = request({ ...options, signal: AbortSignal.timeout(callMillis) }, (answer) => {
      let text = ""
      answer.setEncoding("utf8")
      answer.on("data", (part) => (text += part))
      answer.on("end", () => resolve({ status: answer.statusCode, text }))
      answer.on("error", (error) => resolve({ status: error.message, text }))
    })
    sent.on("error", (error) => resolve({ status: error.message, text: "" }))
    sent.end(body)
  })

/** A caller sends calls at a constant rate until it is stopped: three reads, then one creation of a contact. */
export const startCalls = (target, perSecond) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const to = { ...target, agent, headers: { ...target.headers, "content-type": "application/json" } }
  const done = { calls: 0, failures: [], created: [], millis: [] }
  const running = new Set()
  const send = async (number) => {
    const from = performance.now()
    const creates = number % 4 === 3
    const { status, text } = creates
      ? await call(to, "POST", "/api/v1/contacts", JSON.stringify({ name: `${target.name} ${number}` }))
      : await call(to, "GET", "/api/v1/contacts?limit=10")
    done.calls++
    done.millis.push(performance.now() - from)
    if (status !== (creates ? 201 : 200))
      done.failures.push(`${creates ? "POST" : "GET"}: ${status} ${text.slice(0, 120)}`)
    else if (creates) done.created.push(JSON.parse(text).id)
  }
  let number = 0
  const timer = setInterval(() => {
    const sent = send(number++)
    running.add(sent)
    void sent.then(() => running.delete(sent))
  }, 1000 / perSecond)
  return async () => {
    clearInterval(timer)
    await Promise.all(running)
    agent.destroy()
    return done
  }
}

/** Sends logins of strangers, each with another address in X-Forwarded-For. Returns the number of throttled ones. */
export const countThrottled = async (target, count) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const calls = Array.from({ length: count }, (_, index) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": `203.0.113.${index % 250}` }
    const body = JSON.stringify({ email: `stranger-${index}@acme.example`, password: "a wrong password" })
    return call({ ...target, agent, headers }, "POST", "/api/v1/auth/login", body)
  })
  const answers = await Promise.all(calls)
  agent.destroy()
  return answers.filter(({ status }) => status === 429).length
}

const frame = /^id: ?(?<id>.*)$|^data: ?(?<data>.*)$/gmu

/** Follows the event feed until it is stopped, and connects again after the last event. */
export const startReader = (target) => {
  const seen = { contacts: [], delays: [], connections: 0, refused: [] }
  let last
  let current
  const state = { isOver: false }
  const read = (text) => {
    let id
    let data
    for (const { groups } of text.matchAll(frame)) {
      id = groups.id ?? id
      data = groups.data ?? data
    }
    last = id ?? last
    if (data === undefined) return
    const { at, event } = JSON.parse(data)
    if (event?.type !== "contact.created") return
    seen.contacts.push(event.contactId)
    seen.delays.push(Temporal.Now.instant().epochMilliseconds - Temporal.Instant.from(at).epochMilliseconds)
  }
  const connect = () =>
    new Promise((resolve) => {
      const headers = {
        ...target.headers,
        accept: "text/event-stream",
        ...(last !== undefined && { "last-event-id": last })
      }
      const options = { agent: false, headers, host: "localhost", path: "/api/v1/events", port: target.port }
      current = request({ ...options, rejectUnauthorized: false }, (answer) => {
        if (answer.statusCode !== 200) seen.refused.push(answer.statusCode)
        seen.connections++
        let buffer = ""
        answer.setEncoding("utf8")
        answer.on("data", (part) => {
          const frames = (buffer + part).split("\n\n")
          buffer = frames.pop()
          if (answer.statusCode === 200) frames.forEach(read)
        })
        answer.on("error", resolve)
        answer.on("close", resolve)
      })
      current.on("error", resolve)
      current.end()
    })
  const follow = async () => {
    while (!state.isOver) {
      await connect()
      if (!state.isOver) await sleep(100)
    }
  }
  const following = follow()
  return {
    seen,
    stop: async () => {
      state.isOver = true
      current?.destroy()
      await following
    }
  }
}
