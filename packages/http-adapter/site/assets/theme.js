import { need } from "./dom.js"

const key = "parley.theme"
const names = { system: "as the system", light: "light", dark: "dark" }

/** @typedef {keyof typeof names} Theme */

/** @returns {Theme} */
const current = () => {
  const stored = localStorage.getItem(key)
  return stored === "light" || stored === "dark" ? stored : "system"
}

/** @type {Record<Theme, Theme>} */
const next = { system: "light", light: "dark", dark: "system" }

/** @param {Theme} theme */
const apply = (theme) => {
  const button = need("[data-theme-button]")
  button.setAttribute("aria-label", `Colours: ${names[theme]}`)
  button.title = `Colours: ${names[theme]}`
  button.dataset.current = theme
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Lets the reader choose between light, dark and what the system says. */
export const startTheme = () => {
  apply(current())
  need("[data-theme-button]").addEventListener("click", () => {
    const theme = next[current()]
    if (theme === "system") localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
    apply(theme)
  })
}
