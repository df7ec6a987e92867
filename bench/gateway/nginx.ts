import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import type { ListeningChild } from '../harness/child.ts'

/**
 * Starts one nginx process as a plain reverse proxy with keep-alive connections, without checks and logs. Rejects if
 * nginx is not installed.
 */
export async function startNginx(upstream: string): Promise<ListeningChild> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'marketplace-nginx-')), await freePort()]
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, new URL(upstream).host))
  const child = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  })
  await once(child, 'spawn')
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => null)))
    await Promise.race([sleep(50), exited.then(() => Promise.reject(new Error('nginx ended.')))])
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function nginxVersion(): string {
  const { stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return stderr.trim().replace('nginx version: ', '')
}

function configuration(folder: string, port: number, host: string): string {
  return `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; keepalive_requests 1000000;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream service { server ${host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`
}
