import { demoUsers, type Person } from './people.ts'
import { pictureOf } from './picture.ts'

const style = `
  :root { color-scheme: light dark; --ground: #faf8f4; --paper: #fff; --ink: #211d18; --quiet: #635b51; --line: #e6e0d6; --accent: #0b7a55; --on-accent: #fff; --danger: #b3261e }
  @media (prefers-color-scheme: dark) { :root { --ground: #161412; --paper: #1f1c19; --ink: #f3eee7; --quiet: #aca297; --line: #37322c; --accent: #4fcb98; --on-accent: #06281b; --danger: #ff9d90 } }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { width: 100%; max-width: 400px; padding: 32px 28px; background: var(--paper); border: 1px solid var(--line); border-radius: 12px }
  h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3 }
  p { margin: 0 0 20px; color: var(--quiet); font-size: 14px }
  ul { list-style: none; margin: 0 0 20px; padding: 0; border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
  li + li { border-top: 1px solid var(--line) }
  .person { display: flex; align-items: center; gap: 12px; width: 100%; padding: 12px 16px; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer }
  .person:hover, .person:focus-visible { background: var(--ground) }
  .person img { width: 40px; height: 40px; border-radius: 50% }
  .person span { display: block; font-size: 14px; color: var(--quiet) }
  label { display: block; margin-bottom: 4px; font-size: 14px; color: var(--quiet) }
  .other { display: flex; gap: 8px }
  input { flex: 1; min-width: 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: inherit; font: inherit }
  .other button { padding: 10px 16px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  li :focus-visible { outline-offset: -2px }
  [role=alert] { margin: 8px 0 0; color: var(--danger) }
  small { display: block; margin-top: 20px; color: var(--quiet); font-size: 12px }
`

/** Returns the page with the account picker. */
export function pickerPage(action: string, problem = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Choose an account</title><style>${style}</style></head>
<body><main>
  <h1>Choose an account</h1>
  <p>to continue to Marketplace</p>
  <form method="post" action="${escape(action)}"><ul>${demoUsers.map(row).join('')}</ul></form>
  <form method="post" action="${escape(action)}">
    <label for="email">Use another email</label>
    <div class="other"><input id="email" name="email" type="email" autocomplete="email" placeholder="you@example.com" required><button>Continue</button></div>
    ${problem && `<p role="alert">${escape(problem)}</p>`}
  </form>
  <small>This sign-in runs on your machine and asks for no password. Any address makes an account.</small>
</main></body></html>`
}

/** Returns the page for a sign-in that has expired or belongs to another browser. */
export function expiredPage(origin: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in expired</title><style>${style}</style></head>
<body><main><h1>This sign-in has expired</h1><p>Please start it again from the marketplace.</p><a href="${escape(origin)}/sign-in">Back to the marketplace</a></main></body></html>`
}

function row({ email, name }: Person): string {
  const picture = escape(pictureOf(email, name))
  return `<li><button class="person" name="email" value="${escape(email)}"><img src="${picture}" alt=""><div>${escape(name)}<span>${escape(email)}</span></div></button></li>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
