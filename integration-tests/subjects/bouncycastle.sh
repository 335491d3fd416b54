# Bouncy Castle 1.70, cryptography and ASN.1: many classes, for what it costs to have many.
title='Bouncy Castle 1.70'
main_classes org.bouncycastle:bcprov-jdk15on:1.70
own_sources
dependencies=(junit:junit:4.13.2:test)
