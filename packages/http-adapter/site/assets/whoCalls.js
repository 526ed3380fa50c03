import { chooseOrganization, forget, onCredentials, signIn, takeToken } from "./credentials.js"
import { h } from "./dom.js"

/**
 * A labelled control.
 *
 * @param {string} label
 * @param {HTMLElement} control with an id
 * @param {...import("./dom.js").Child} more
 */
export const labelled = (label, control, ...more) =>
  h("div", { class: "field" }, h("label", { for: control.id }, label), control, ...more)

/**
 * A form that asks for something; it says why not where that is refused.
 *
 * @param {string} id
 * @param {string} action
 * @param {ReadonlyArray<{ name: string, label: string, type: string, autocomplete: string }>} fields
 * @param {(values: ReadonlyArray<string>) => Promise<string | null>} submit
 */
const askingForm = (id, action, fields, submit) => {
  const fault = h("p", { class: "fault", role: "alert" })
  const inputs = fields.map(({ autocomplete, name, type }) =>
    h("input", { id: `${id}-${name}`, name, type, autocomplete, required: true, spellcheck: "false" })
  )
  const button = h("button", { class: "button" }, action)
  const form = h(
    "form",
    { class: "console-form" },
    inputs.map((input, place) => labelled(fields[place]?.label ?? "", input)),
    fault,
    button
  )
  let isAsking = false
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    // A disabled button would lose the focus, and keyboard users would lose their position.
    if (isAsking) return
    isAsking = true
    fault.textContent = ""
    const reason = await submit(inputs.map(({ value }) => value))
    isAsking = false
    for (const input of inputs) if (input.type === "password") input.value = ""
    if (reason === null) return
    fault.textContent = reason
    inputs.at(-1)?.focus()
  })
  return form
}

/** @param {string} id */
const signedOut = (id) => [
  h(
    "p",
    { class: "console-words" },
    "Your credentials are stored in the memory of this page only. A reload deletes them."
  ),
  askingForm(
    `${id}-login`,
    "Sign in",
    [
      { name: "email", label: "E-mail address", type: "email", autocomplete: "username" },
      { name: "password", label: "Password", type: "password", autocomplete: "current-password" }
    ],
    ([email = "", password = ""]) => signIn(email, password)
  ),
  h(
    "details",
    { class: "field-more" },
    h("summary", {}, "Paste a token instead"),
    askingForm(
      `${id}-token`,
      "Use the token",
      [{ name: "token", label: "Access token or automation token", type: "password", autocomplete: "off" }],
      ([token = ""]) => takeToken(token.trim())
    )
  )
]

/** @param {string} id @param {import("./credentials.js").Credentials} who */
const organizationControl = (id, { organizationId, organizations }) => {
  const control =
    organizations.length === 0
      ? h("input", { id: `${id}-organization`, value: organizationId, spellcheck: "false", placeholder: "An id" })
      : h(
          "select",
          { id: `${id}-organization` },
          organizations.map((one) => h("option", { value: one.id, selected: one.id === organizationId }, one.name))
        )
  control.addEventListener("change", () => chooseOrganization(control.value.trim()))
  return labelled("Organization", control)
}

/** @param {string} id @param {import("./credentials.js").Credentials} who @param {boolean} choosesOrganization */
const signedIn = (id, who, choosesOrganization) => {
  const out = h("button", { type: "button", class: "button" }, "Forget")
  out.addEventListener("click", forget)
  return [
    h("div", { class: "console-who" }, h("p", {}, "Calls as ", h("strong", {}, who.name)), out),
    choosesOrganization && organizationControl(id, who)
  ]
}

/**
 * Says and asks who calls.
 *
 * @param {string} id
 * @param {boolean} choosesOrganization
 */
export const whoCalls = (id, choosesOrganization) => {
  const box = h("div", { class: "console-part", role: "group", "aria-label": "Who calls" })
  onCredentials((who) => {
    const hadFocus = box.contains(document.activeElement)
    const children = who === null ? signedOut(id) : signedIn(id, who, choosesOrganization)
    box.replaceChildren(...children.filter((child) => child !== false))
    if (!hadFocus) return
    const next = box.querySelector("select") ?? box.querySelector("input") ?? box.querySelector("button")
    next?.focus()
  })
  return box
}
