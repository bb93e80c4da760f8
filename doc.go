package gompss
