import { Agent, request } from "undici"

const { BENCH_PROVIDER } = process.env
const agent = new Agent({ connections: 64, pipelining: 1 })

const message = ({ contactId, phone, reference }) =>
  JSON.stringify({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: phone,
    type: "template",
    template: {
      name: "spring",
      language: { code: "en", policy: "deterministic" },
      components: [{ type: "body", parameters: [{ type: "text", text: contactId }] }]
    },
    biz_opaque_callback_data: reference
  })

const send = async (job) => {
  const { body, statusCode } = await request(`${BENCH_PROVIDER}/v23.0/200000000000000/messages`, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", authorization: "Bearer token" },
    body: message(job)
  })
  const answer = await body.json()
  if (statusCode !== 200 || typeof answer.messages?.[0]?.id !== "string") throw new Error(`It answered ${statusCode}.`)
}

let done = 0
const timer = setInterval(() => process.send({ done }), 10)
timer.unref()

/** The work for each message: nothing, or a call of the provider. */
export const perform = async (job) => {
  if (BENCH_PROVIDER !== undefined) await send(job)
  done += 1
}

/** Waits for the start signal, then starts. */
export const begin = (start) => {
  process.once("message", () => void start())
  // It never outlives its parent process.
  process.once("disconnect", () => process.exit())
  process.send({ ready: true })
}
