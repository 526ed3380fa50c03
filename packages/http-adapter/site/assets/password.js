import { need } from "./dom.js"
import { input, isFaultless, passwordFaults, post } from "./form.js"
import { startTheme } from "./theme.js"

const key = "parley.password"

/** @param {string} part @param {string} title */
const show = (part, title) => {
  for (const name of ["ask", "asked", "choose", "done"]) need(`[data-${name}]`).hidden = name !== part
  need("h1").textContent = title
}

/** @param {string} part @param {string} title */
const end = (part, title) => {
  show(part, title)
  need(`[data-${part}]`).focus()
}

const ask = async () => {
  const email = input("email").value.trim()
  if (!isFaultless(email.includes("@") ? [] : [["email", "Enter the address of your login."]])) return
  const answer = await post("/api/v1/auth/password/forgot", { email })
  if (answer?.status === 204) end("asked", "Check your mailbox")
}

/** @param {string} token */
const choose = async (token) => {
  if (!isFaultless(passwordFaults())) return
  const answer = await post("/api/v1/auth/password/reset", { token, password: input("password").value })
  if (answer?.status === 204) {
    sessionStorage.removeItem(key)
    return end("done", "Your password is set")
  }
  // A link that is not good any more will not become so: ask for another.
  if (answer?.body?.code === "password_reset_invalid") {
    sessionStorage.removeItem(key)
    show("ask", "Request a new link")
  }
}

const start = () => {
  startTheme()
  const token = sessionStorage.getItem(key) ?? ""
  if (token === "") show("ask", "Forgotten your password?")
  else show("choose", "Choose a new password")
  need("[data-ask-form]").addEventListener("submit", (event) => {
    event.preventDefault()
    void ask()
  })
  need("[data-choose-form]").addEventListener("submit", (event) => {
    event.preventDefault()
    void choose(token)
  })
}

start()
