import type { INestApplication } from '@nestjs/common';

export function openApiDocument(
  app: INestApplication,
  swagger: Pick<typeof import('@nestjs/swagger'), 'DocumentBuilder' | 'SwaggerModule'>,
): object;
