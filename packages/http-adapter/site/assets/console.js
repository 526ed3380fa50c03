import { showAnswer } from "./answer.js"
import { credentials, renew } from "./credentials.js"
import { h } from "./dom.js"
import { requestFields } from "./request.js"
import { whoCalls } from "./whoCalls.js"

/**
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./example.js").Resolve} Resolve
 * @typedef {import("./request.js").Request} Request
 */

/** @param {string} organizationId */
const nameOf = (organizationId) =>
  credentials()?.organizations.find(({ id }) => id === organizationId)?.name ?? organizationId

/**
 * Asks before something is changed.
 *
 * @param {HTMLElement} box
 * @param {Operation} operation
 * @param {Request} request
 * @returns {Promise<boolean>}
 */
const isConfirmed = (box, operation, request) =>
  new Promise((resolve) => {
    const organization = request.headers["X-Organization-Id"]
    const dialog = h(
      "dialog",
      { class: "ask", "aria-label": `Send ${operation.method}?` },
      h(
        "form",
        { method: "dialog" },
        h("p", {}, h("strong", {}, `${operation.summary}?`)),
        h("p", {}, h("code", {}, `${request.method} ${request.url}`)),
        h(
          "p",
          {},
          organization === undefined
            ? "This call can change real data."
            : `This call can change real data of ${nameOf(organization)}.`
        ),
        h(
          "div",
          { class: "console-actions" },
          h("button", { class: "button", value: "cancel", autofocus: true }, "Cancel"),
          h("button", { class: "button button-main", value: "send" }, `Send ${operation.method}`)
        )
      )
    )
    dialog.addEventListener("close", () => {
      dialog.remove()
      resolve(dialog.returnValue === "send")
    })
    box.append(dialog)
    dialog.showModal()
  })

/** @param {unknown} error */
const wordsOf = (error) =>
  error instanceof DOMException && error.name === "AbortError" ? "Stopped." : "The service is not reachable."

/** @param {HTMLTextAreaElement} text */
const checkJson = (text) => {
  try {
    if (text.value.trim() !== "") JSON.parse(text.value)
    text.setCustomValidity("")
  } catch (error) {
    text.setCustomValidity(`Invalid JSON: ${error instanceof Error ? error.message : ""}`)
  }
}

/** @param {HTMLElement} box @param {Operation} operation @param {string} id @param {Resolve} resolve */
const requestForm = (box, operation, id, resolve) => {
  const fields = requestFields(operation, id, resolve)
  const status = h("p", { class: "console-status", role: "status" })
  const output = h("div", { class: "console-output" })
  const send = h("button", { class: "button button-main" }, "Send")
  const stop = h("button", { type: "button", class: "button", hidden: true }, "Stop")
  /** @type {AbortController | null} */
  let running = null
  const form = h(
    "form",
    { class: "console-form", "aria-label": `Request of ${operation.summary}` },
    fields.elements,
    h("div", { class: "console-actions" }, send, stop),
    status,
    output
  )
  stop.addEventListener("click", () => running?.abort())

  const call = async () => {
    running = new AbortController()
    send.setAttribute("aria-disabled", "true")
    stop.hidden = false
    output.replaceChildren()
    status.textContent = "Waiting for the answer"
    const startedAt = performance.now()
    try {
      await renew()
      const { body, headers, method, url } = fields.read(credentials())
      const response = await fetch(url, {
        method,
        headers,
        body,
        signal: running.signal,
        cache: "no-store",
        credentials: "omit",
        redirect: "error"
      })
      // The call is complete, so the next call gets a new key. Without an answer, the same key returns the outcome of
      // the first call.
      fields.renewKey()
      await showAnswer(response, output, status, startedAt)
    } catch (error) {
      status.textContent = wordsOf(error)
    } finally {
      const hadFocus = document.activeElement === stop
      running = null
      send.removeAttribute("aria-disabled")
      stop.hidden = true
      if (hadFocus) send.focus()
    }
  }

  const json = form.querySelector(".console-body")
  if (json instanceof HTMLTextAreaElement && operation.requestBody?.content["application/json"] !== undefined) {
    send.addEventListener("click", () => checkJson(json))
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (running !== null) return
    if (operation.method !== "GET" && !(await isConfirmed(box, operation, fields.read(credentials())))) return
    await call()
  })
  return form
}

/**
 * A button that opens a console, in which the operation can be called.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const tryIt = (operation, resolve) => {
  const id = `try-${operation.id}`
  const button = h(
    "button",
    { type: "button", class: "button try-button", "aria-expanded": "false", "aria-controls": id },
    "Try it",
    h("span", { class: "unseen" }, `: ${operation.summary}`)
  )
  const box = h("section", { id, class: "console", "aria-label": `Try: ${operation.summary}`, hidden: true })
  button.addEventListener("click", () => {
    const opens = box.hidden === true
    if (opens && box.childElementCount === 0) {
      if (operation.secured) {
        const choosesOrganization = operation.parameters.some(({ name }) => name.toLowerCase() === "x-organization-id")
        box.append(whoCalls(id, choosesOrganization))
      }
      box.append(requestForm(box, operation, id, resolve))
    }
    box.hidden = !opens
    button.setAttribute("aria-expanded", String(opens))
    // What is longer than the window must not stick to it.
    button.closest(".operation-samples")?.classList.toggle("has-console", opens)
    if (!opens) return
    const first = box.querySelector("input, select, textarea, button")
    if (first instanceof HTMLElement) first.focus({ preventScroll: true })
  })
  return h("div", { class: "try" }, button, box)
}
